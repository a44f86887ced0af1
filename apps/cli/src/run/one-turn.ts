import { randomBytes, randomUUID } from 'node:crypto';
import { createHost, type RunReport, runOf } from '@cuebook/host';
import { createSigner, type RunId } from '@cuebook/journal';
import type { AnswerJudge } from '@cuebook/profile';
import type { Session, TurnEvent } from '@cuebook/provider';
import { type TurnPrompt, turnRuns } from '@cuebook/turn';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import type { Bench } from '../project/bench.js';
import { homeFolder } from '../project/home.js';
import { requireProviders } from '../project/providers.js';
import { type Journal, keyFailure } from '../record/journal.js';
import { spokenOf } from './note.js';

export interface OneTurn {
  readonly call: Pick<Call, 'flags' | 'io'>;
  readonly bench: Bench;
  readonly journal: Journal;
  readonly target: string;
  readonly prompt: TurnPrompt;
  /** Judges the answer, where the prompt has a contract. */
  readonly judge?: (() => Promise<AnswerJudge>) | undefined;
  /** What the rehearsal says, in place of the file of `--script`. */
  readonly script?: string | undefined;
  readonly publish?: (event: TurnEvent) => void;
  readonly overhear?: (session: Session) => Session;
}

export const newRunId = (): RunId =>
  `run_${Date.now().toString(36)}${randomBytes(5).toString('hex')}` as RunId;

/**
 * Says one composed prompt in this process and waits for the answer. The run is what a server would leave: one that is
 * killed goes on where a host takes it up.
 */
export async function speakOnce(one: OneTurn): Promise<RunReport> {
  const { bench, journal, target, prompt, overhear, publish = () => undefined } = one;
  const { io } = one.call;
  const signer = await createSigner(journal.home);
  if (!signer.ok) throw keyFailure(signer.error);
  const { folder, files, context, redactor, hash } = bench;
  const host = createHost({
    kinds: [
      turnRuns({
        prefixes: [target.split(':')[0] ?? ''],
        compose: async () => ({ ok: true, value: { ...prompt, from: bench } }),
        judge: async () => one.judge?.(),
      }),
    ],
    ...{ store: journal.store, signer: signer.value, home: journal.home, homeFolder: homeFolder(folder, io) },
    ...{ folder, files, context, redactor, hash },
    providers: { config: await requireProviders(files), env: io.env },
    ...(overhear && { overhear }),
  });
  const id = randomUUID();
  const run = runOf(id);
  const leave = host.watch(run, ({ event }) => publish(event));
  const stop = (): void => void host.tell(run, { type: 'stop' }, { id: 'stop by a signal', by: PERSON });
  try {
    const begun = await host.begin({
      ...{ id, by: PERSON, target },
      ...(await spokenOf(one.call)),
      ...(one.script === undefined ? {} : { script: one.script }),
    });
    if (!begun.ok) throw new Failure(begun.error.code, begun.error.message, { exit: 1 });
    // A word that came while the project was being read counts too.
    if (io.stop.aborted) stop();
    io.stop.addEventListener('abort', stop, { once: true });
    await host.drain();
    const report = await host.report(run);
    if (!report.ok) throw new Failure(report.error.code, report.error.message, { exit: 1 });
    return report.value;
  } finally {
    io.stop.removeEventListener('abort', stop);
    leave();
    await host.stop({ running: 'abort' });
  }
}

const PERSON = 'user';
