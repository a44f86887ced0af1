import { setTimeout as wait } from 'node:timers/promises';
import type { LiveView } from '@cuebook/api';
import { findWorker } from '@cuebook/engine';
import { type HostError, runOf } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { byWhom } from '../platform/by-whom.js';
import { requireAnswer } from '../team/require.js';
import { type Door, isStill, newCommandId } from './door.js';
import { createMissed } from './missed.js';
import { scriptFileOf, spokenOf } from './note.js';
import { type OwnHost, openOwnHost } from './own-host.js';

export interface OwnDoor extends Omit<OwnHost, 'io'> {
  readonly call: Pick<Call, 'flags' | 'io'>;
  /** What the rehearsal says, in place of the file of `--script`. */
  readonly script?: string | undefined;
  /** Everything that is said live, in this process. */
  readonly heard?: ((event: TurnEvent) => void) | undefined;
}

/** A host in this process as the door of a run. */
export async function openOwnDoor({ call, heard, script, ...parts }: OwnDoor): Promise<Door> {
  const { flags, io } = call;
  const host = await openOwnHost({ io, ...parts });
  const by = byWhom(flags, io);
  const early: LiveView[] = [];
  let hear = (live: LiveView): void => void early.push(live);
  const watch = (run: RunId): (() => void) =>
    host.watch(run, ({ node, name, effect, event }) => {
      heard?.(event);
      hear({ run, node, name, turn: effect, event } as LiveView);
    });
  /** Resolves with the last event of a run that stands still. A process that died a moment ago is waited out. */
  async function still(run: RunId, signal: AbortSignal | undefined): Promise<number> {
    for (let looks = 0; ; looks += 1) {
      await Promise.race([host.drain(), fired(signal)]);
      const report = required(await host.report(run));
      if (isStill(report) || signal?.aborted) return report.seq;
      if (looks > LOOKS) throw await heldElsewhere(run);
      if (looks > 0) await wait(LOOK_MS);
      required(await host.tell(run, { type: 'go-on' }, { id: newCommandId(), by }));
    }
  }
  const heldElsewhere = async (run: RunId): Promise<Failure> => {
    const worker = (await findWorker(parts.journal.store, run)) ?? 'another process';
    return new Failure('E_RUN_HELD', `${run} is worked on by ${worker}. Wait until it has ended.`, {
      exit: 1,
    });
  };
  let leave = (): void => undefined;
  let closing: Promise<void> | undefined;

  return {
    goesOn: false,
    async start(start) {
      leave = watch(runOf(start.id));
      const scriptFile = scriptFileOf({ flags, io }, parts.bench.folder);
      const spoken = {
        ...(await spokenOf({ flags, io })),
        ...(scriptFile === undefined ? {} : { scriptFile }),
        ...(script === undefined ? {} : { script }),
      };
      return required(await host.begin({ ...start, ...spoken, by })).run;
    },
    async submit(run, word) {
      const said = { id: newCommandId(), by };
      if (word.type === 'answer') required(await host.answer({ run, id: word.wait }, word.reply, said));
      else required(await host.tell(run, word, said));
    },
    async follow(run, { after, signal, show, event }) {
      // What nobody sees is not read.
      if (show === undefined) return void (await still(run, signal));
      leave();
      leave = watch(run);
      const missed = createMissed(run, show);
      hear = missed.live;
      for (const live of early.splice(0)) missed.live(live);
      const end = new AbortController();
      const reading = signal === undefined ? end.signal : AbortSignal.any([end.signal, signal]);
      let last = after;
      let until = Number.POSITIVE_INFINITY;
      const look = (): void => {
        if (last >= until) end.abort();
      };
      const standing = still(run, signal)
        .then((seq) => {
          until = seq;
          look();
        })
        .catch((error: unknown) => {
          end.abort();
          throw error;
        });
      // It fails while the events are read to their end: it is heard there, and thrown behind them.
      standing.catch(() => undefined);
      for await (const each of host.events(run, { after, signal: reading })) {
        last = each.seq;
        missed.event(each);
        event?.(each);
        look();
      }
      await standing;
    },
    report: async (run) => required(await host.report(run)),
    close() {
      leave();
      closing ??= host.stop({ running: 'abort' });
      return closing;
    },
  };
}

/** Who looks for a run that a process has held a moment ago: so many times, whatever the clock says. */
const LOOKS = 40;
const LOOK_MS = 200;

const fired = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

/** The value of what a host answers, or its error in the words and with the exit code that a server's has. */
function required<Value>(done: Result<Value, HostError>): Value {
  if (done.ok) return done.value;
  const { kind, code, message, diagnostics } = done.error;
  const found = diagnostics === undefined ? {} : { diagnostics: diagnostics as never };
  return requireAnswer<Value>({ ok: false, error: { code, message, status: STATUSES[kind], ...found } });
}

/** As the server answers over HTTP. */
const STATUSES = { invalid: 400, notFound: 404, conflict: 409, unavailable: 503 } as const satisfies Record<
  HostError['kind'],
  number
>;
