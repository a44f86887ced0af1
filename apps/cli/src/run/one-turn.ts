import { randomBytes } from 'node:crypto';
import type { RunReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { AnswerJudge } from '@cuebook/profile';
import { type TurnPrompt, turnRuns } from '@cuebook/turn';
import type { Call } from '../command.js';
import type { Bench } from '../project/bench.js';
import type { Journal } from '../record/journal.js';
import { carry } from './carry.js';
import { newCommandId } from './door.js';
import { openOwnDoor } from './own-door.js';

export interface OneTurn {
  readonly call: Pick<Call, 'flags' | 'io'>;
  readonly bench: Bench;
  readonly journal: Pick<Journal, 'store' | 'home'>;
  readonly target: string;
  readonly prompt: TurnPrompt;
  /** Judges the answer, where the prompt has a contract. */
  readonly judge?: (() => Promise<AnswerJudge>) | undefined;
  /** What the rehearsal says, in place of the file of `--script`. */
  readonly script?: string | undefined;
}

export const newRunId = (): RunId =>
  `run_${Date.now().toString(36)}${randomBytes(5).toString('hex')}` as RunId;

/** The kind of runs that tell one prompt, which was composed before. */
export const oneTurn = ({
  target,
  prompt,
  bench,
  judge,
}: Pick<OneTurn, 'target' | 'prompt' | 'bench' | 'judge'>) =>
  turnRuns({
    prefixes: [target.split(':')[0] ?? ''],
    compose: async () => ({ ok: true, value: { ...prompt, from: bench } }),
    judge: async () => judge?.(),
  });

/** Says one composed prompt in this process and waits for the answer. */
export async function speakOnce(one: OneTurn): Promise<RunReport> {
  const { call, journal, bench, target } = one;
  const door = await openOwnDoor({ call, journal, bench, kinds: [oneTurn(one)], script: one.script });
  try {
    const run = await door.start({ id: newCommandId(), target });
    await carry(door, run, {
      call,
      journal,
      cursor: { seq: 0 },
      words: false,
      interrupted: 'stop',
      show: () => undefined,
    });
    return await door.report(run);
  } finally {
    await door.close();
  }
}
