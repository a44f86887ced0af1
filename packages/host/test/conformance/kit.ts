import type { RunId } from '@cuebook/journal';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import type { Host, RunReport, WaitFor, Word } from '../../src/index.js';
import type { Lacks } from '../../src/kind.js';
import { runOf } from '../../src/run-of.js';
import { hostStand, must, type Stand, until } from '../stand.js';
import type { KindFixture } from './fixture.js';

/** What the promises are tried with: the fixture of a kind, and a stand that each scenario has for itself. */
export type KindKit = ReturnType<typeof kitOf>;

export function kitOf(fixture: KindFixture) {
  const { name: kind, lacks = {} } = fixture.kind();
  const { target, script, afterWords, shownTarget = target, turnHit = 1 } = fixture;
  const firstRun = fixture.run ?? runOf('start');
  const says = fixture.says ?? ((text: string): object => ({ text }));
  const call = fixture.call ?? { input: 'Begin.' };
  const again = fixture.again ?? { after: says('One.'), word: { type: 'say', text: 'More.' } as const };
  let made: Stand | undefined;

  const stand = (): Stand => made ?? expect.unreachable('no stand');
  const remove = async (): Promise<void> => {
    const last = made;
    made = undefined;
    await last?.remove();
  };
  /** Another project of the kind in the place of the last one. */
  const fresh = async (files: KindFixture['files'] = {}): Promise<Stand> => {
    await remove();
    made = await hostStand({
      kinds: () => [fixture.kind()],
      files: { ...fixture.files, ...files },
      ...fixture.host?.(),
    });
    await fixture.prepare?.(made);
    return made;
  };
  const start = (host: Host, steps: readonly object[], more: object = {}) =>
    host.begin({ id: 'start', by: 'ann', target, ...call, script: script(steps), ...more });
  const begin = async (host: Host, steps: readonly object[], more: object = {}): Promise<RunId> =>
    must(await start(host, steps, more)).run;
  const isStill = ({ status }: RunReport): boolean => status !== 'running' && status !== 'new';
  const goOn = async (host: Host, run: RunId, id = 'again') =>
    must(await host.tell(run, again.word, { id, by: 'ann' }));
  /** What a run shows of the words that its turns said. */
  const heard = async (host: Host, run: RunId): Promise<string> =>
    fixture.heard === undefined ? JSON.stringify(must(await host.report(run))) : fixture.heard(stand(), run);
  const lacking = async (name: keyof Lacks): Promise<void> => {
    const host = await stand().open();
    const run = await begin(host, [says('Hello.')]);
    await until(host, run, isStill);
    const word = ABOUT[name];
    const unknown = { ok: false, error: { code: 'E_WORD_UNKNOWN', kind: 'invalid' } };
    if (word !== undefined) expect(await host.tell(run, word, { id: 'x', by: 'ann' })).toMatchObject(unknown);
    expect((await host.waiting()).filter((each) => each.for === WAITS_FOR[name])).toEqual([]);
  };
  /** A part that the record of the kind lacks is refused by code; every other one is there. */
  const unless = <Part>(
    name: keyof Lacks,
    title: string,
    part: Part | undefined,
    test: (part: Part) => Promise<void>,
  ): void => {
    if (lacks[name] !== undefined) it(`${name}: ${lacks[name]}`, () => lacking(name));
    else it(title, () => (part === undefined ? expect.unreachable('not handed in') : test(part)));
  };

  return {
    ...{ fixture, kind, lacks, target, call, shownTarget, afterWords, turnHit, firstRun, says, again },
    ...{ stand, fresh, remove, start, begin, isStill, goOn, heard, lacking, unless },
  };
}

/** A word about each part that a kind may lack, and what would wait for a person. */
const ABOUT: Readonly<Record<keyof Lacks, Word | undefined>> = {
  words: { type: 'say', text: 'Hello.' },
  approvals: { type: 'approve', approval: 'apr_1', decision: 'allow' },
  doubts: { type: 'settle', effect: 'eff_1', outcome: 'unknown' },
  stalls: undefined,
  updates: undefined,
};
const WAITS_FOR: Readonly<Partial<Record<keyof Lacks, WaitFor>>> = {
  ...{ words: 'input', approvals: 'approval', doubts: 'outcome', stalls: 'loop' },
} as const;
