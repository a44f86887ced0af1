import { randomUUID } from 'node:crypto';
import { type Client, createClient, type JsonValue, type LiveView, type RunEventView } from '@cuebook/api';
import { createEngine } from '@cuebook/engine';
import { type PerRunKind, type RunReport, readReport, readRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';
import type { Journal } from '../record/journal.js';
import { requireAnswer } from '../team/require.js';

/** A run that the server of the project works on, as a command of this process sees it. */
export interface HostedRun {
  readonly client: Client;
  /** Undefined: it is started. */
  readonly run: RunId | undefined;
}

/**
 * The server that is up for the project, to start a run at or to go on with one. Undefined: there is none, or the run
 * was begun by a command, whose flags no server knows.
 */
export async function findHosted(
  home: string,
  journal: Journal,
  run: RunId | undefined,
): Promise<HostedRun | undefined> {
  const { findServer } = await import('@cuebook/server');
  const found = await findServer(home);
  if (found === undefined) return undefined;
  if (run !== undefined && (await readRunNote(journal.home, run)).call === undefined) return undefined;
  return { client: createClient({ url: found.url, token: found.token }), run };
}

/** Starts a run at the server as the flags of the call say. */
export async function startHosted(
  { client }: HostedRun,
  { flags, io }: Call,
  start: Pick<NonNullable<Parameters<Client['startRun']>[0]>, 'target' | 'input' | 'budget' | 'options'>,
): Promise<RunId> {
  const script = flagValue(flags, 'script');
  const provider = flagValue(flags, 'provider');
  const model = flagValue(flags, 'model');
  const { run } = requireAnswer(
    await client.startRun({
      ...start,
      id: `cmd_${randomUUID()}`,
      ...(script === undefined ? {} : { script: await readNamedFile(io.cwd, script) }),
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
    }),
  );
  return run as RunId;
}

/** Shows what a run says until it stands still. Who leaves does not end it. */
export async function followHosted(
  client: Client,
  {
    run,
    after,
    io,
    show,
  }: { readonly run: RunId; readonly after: number; readonly io: Call['io'] } & {
    readonly show: (live: LiveView) => void;
  },
): Promise<void> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, io.stop]);
  const missed = createMissed(run, show);
  let isTold = false;
  for await (const heard of client.follow({ run, after, signal })) {
    if (heard.type === 'live') missed.live(heard.live);
    if (heard.type === 'event') missed.event(heard.event);
    if (heard.type === 'failed') requireAnswer({ ok: false, error: heard.error });
    // What has happened is told to its end before anybody asks how the run stands.
    if (heard.type === 'ready') isTold = true;
    const isNews = heard.type === 'ready' || (heard.type === 'event' && !QUIET.has(heard.event.type));
    if (!isTold || !isNews) continue;
    const { status } = requireAnswer(await client.getReport({ run }));
    if (status !== 'running' && status !== 'new') end.abort();
  }
  if (io.stop.aborted)
    throw new Failure('E_STOPPED', `You left. The run goes on: ${hint`log ${run}`}`, { exit: 1 });
}

/**
 * Shows each turn once: as it is spoken where its beginning was heard, else whole from the record when it is over. A
 * turn may begin before anybody follows.
 */
function createMissed(run: RunId, show: (live: LiveView) => void) {
  const begun = new Set<string>();
  const nodes = new Map<string, string>();
  return {
    live(live: LiveView): void {
      if (live.event.type === 'turn.start') begun.add(live.turn);
      if (begun.has(live.turn)) show(live);
    },
    event({ type, data }: RunEventView): void {
      const { id = '', kind, input, outcome } = data as unknown as EffectWords;
      if (type === 'effect.intended' && kind === 'model.turn') nodes.set(id, input?.frame ?? 'workflow');
      const node = nodes.get(id);
      const { output } = outcome ?? {};
      if (type !== 'effect.settled' || node === undefined || begun.has(id) || output === undefined) return;
      const tell = (event: LiveView['event']): void => show({ run, node, turn: id, event });
      tell({ type: 'turn.start', provider: '', ...(output.rehearsal ? { rehearsal: true } : {}) });
      if (output.text) tell({ type: 'text.delta', block: 0, text: output.text });
      for (const { id: call, name, input: args } of output.calls ?? [])
        tell({ type: 'tool.end', id: call, name, by: 'caller', input: args });
      tell({ type: 'turn.end', reason: 'done' });
    },
  };
}

/** What the events of a turn's effect hold, as far as a screen shows it. */
interface EffectWords {
  readonly id?: string;
  readonly kind?: string;
  readonly input?: { readonly frame?: string };
  readonly outcome?: {
    readonly output?: {
      readonly text?: string;
      readonly rehearsal?: boolean;
      readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: JsonValue }[];
    };
  };
}

/** Events after which no run stands still that did not before. */
const QUIET: ReadonlySet<string> = new Set([
  'effect.intended',
  'effect.begun',
  'turn.recorded',
  'turn.ended',
  'budget.held',
  'budget.spent',
]);

/** How a run stands, from the record. */
export async function readHosted<State>(
  record: PerRunKind<State>,
  { store }: Journal,
  run: RunId,
): Promise<RunReport & { readonly state: State }> {
  const { state, seq } = await createEngine({ store, machine: record.machine, drivers: {} }).read(run);
  return { ...(await readReport(record, store, { run, state, seq })), state };
}
