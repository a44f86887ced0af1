import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import type { Flag } from '../command.js';
import { COMMANDS } from '../commands.js';
import { flagsWithInputs, INPUTS } from './inputs.js';

const [RUN] = COMMANDS.filter(({ name }) => name === 'run');
const FLAGS: readonly Flag[] = RUN === undefined ? [] : flagsWithInputs(RUN);
const KINDS = INPUTS.map(({ prefix }) => prefix);
const byName = (flags: readonly Flag[]): readonly string[] => flags.map(({ name }) => name);

/** The flags that only some kinds have, and which. Every other flag of `run` is one of all kinds. */
const OWN = {
  limit: 'team',
  attach: 'agent prompt',
  input: 'team prompt agent workflow',
  set: 'sheet scenario',
  env: 'prompt agent',
  'account-env': 'prompt agent',
  'instance-env': 'prompt agent',
  'node-provider': 'role team',
  'global-mode': 'role team',
  goal: 'role team',
  node: 'team',
  mode: 'workflow',
  state: 'workflow',
  'active-agent': 'workflow',
  intent: 'workflow',
  autopilot: 'workflow',
  menu: 'workflow',
  voice: 'workflow',
  data: 'workflow',
  card: 'scenario',
  to: 'scenario',
} as const;

/** What a flag that several kinds have says for each of them: the same, or the same thing to another receiver. */
const SHARED_WORDS: Readonly<Partial<Record<keyof typeof OWN, readonly string[]>>> = {
  input: [
    'With --run: a message to the node that leads; a new run is told --goal',
    'The user message of this turn: TEXT, @FILE, or @- for standard input',
    'What the user says',
  ],
  set: [
    'An input of the sheet: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input',
    'An input: NAME=VALUE, NAME=@FILE, or NAME=@- for standard input',
  ],
};

/** Each flag of `run` as each kind has it. */
const AS_KINDS = KINDS.flatMap((kind) =>
  (RUN === undefined ? [] : flagsWithInputs(RUN, kind))
    .filter(({ kinds }) => kinds?.includes(kind) === true)
    .map((flag) => ({ kind, flag })),
);

describe('the flags of run', () => {
  it('are those of all kinds, and those of a kind under its name', () => {
    const own = FLAGS.flatMap(({ name, kinds }) => (kinds === undefined ? [] : [[name, kinds.join(' ')]]));
    expect(Object.fromEntries(own)).toEqual(OWN);
    expect(byName(FLAGS.filter(({ kinds }) => kinds === undefined))).toEqual([
      ...['file', 'agent', 'provider', 'model', 'script', 'trace', 'run', 'answer', 'settle', 'turns', 'usd'],
      ...['project', 'json'],
    ]);
  });

  it('have one meaning: a name is typed in one way and says one thing, whatever the kind', () => {
    for (const name of Object.keys(OWN) as (keyof typeof OWN)[]) {
      const shared = AS_KINDS.filter(({ flag }) => flag.name === name).map(({ flag }) => flag);
      expect(new Set(shared.map(({ value, repeatable }) => `${value} ${repeatable}`)).size, name).toBe(1);
      const words = new Set(shared.map(({ description }) => description));
      expect([...words].toSorted(), name).toEqual((SHARED_WORDS[name] ?? [...words].slice(0, 1)).toSorted());
    }
  });

  it('of another kind are a wrong call in every kind, before anything is looked at', async () => {
    const cwd = folderWith({ 'cuebook.yaml': '' });
    const strays = KINDS.flatMap((kind) =>
      FLAGS.filter(({ kinds }) => kinds !== undefined && !kinds.includes(kind)).map((flag) => ({
        kind,
        flag,
      })),
    );
    expect(strays.length).toBeGreaterThan(100);
    const taken: unknown[] = [];
    for (const { kind, flag } of strays) {
      const typed = [`--${flag.name}`, ...(flag.value === undefined ? [] : ['a=1'])];
      const { code, stderr } = await cuebook(['run', `${kind}:x`, ...typed], { cwd });
      if (code !== 2 || !stderr.includes(`The target ${kind}: takes no --${flag.name}`))
        taken.push([kind, flag.name, stderr]);
    }
    expect(taken).toEqual([]);
  });

  it('that a kind refuses are not in its help, and it says what to do instead', async () => {
    const cwd = folderWith({ 'cuebook.yaml': '' });
    for (const { name, except = [] } of FLAGS)
      for (const kind of except) {
        const typed = await cuebook(['run', `${kind}:x`, `--${name}`, 'x'], { cwd });
        expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining(`--${name} has no place`)]);
        expect((await cuebook(['run', `${kind}:x`, '--help'], { cwd })).stdout).not.toContain(`--${name} <`);
      }
  });

  it('that name manifests have no place beside a target', async () => {
    const cwd = folderWith({ 'cuebook.yaml': '' });
    for (const kind of KINDS)
      for (const flag of ['--file', '--agent'])
        expect((await cuebook(['run', `${kind}:x`, flag, 'x'], { cwd })).code).toBe(2);
  });

  it('that had another name say the one that they have now', async () => {
    const { code, stderr } = await cuebook(['run', 'agent:desk', '--thread', 'run_x'], { cwd: folderWith() });
    expect(code).toBe(2);
    expect(stderr).toContain('--thread is called --run now: --run RUN');
  });
});
