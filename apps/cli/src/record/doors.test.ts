import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWords } from '../../../../test/hints.js';
import { homeBytes } from '../../../../test/home-bytes.js';
import { inTurn, SEED, sampled } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { type Command, flagsOf } from '../command.js';
import { COMMANDS } from '../commands.js';

/** Commands that are not called here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  up: 'it stays; what its server takes is tried by the test of its routes',
  worker: 'it stays, and takes no words',
  mcp: 'it stays; what it hears are runs',
  acp: 'it stays; what it hears are runs',
  operator: 'it stays, and needs a cluster',
  attach: 'it stays; what is typed there goes the way of `run --answer`',
};

/** Values that name a file of whoever types it: it is found or made by that name, and what is done to it is told by it. */
const FILES: ReadonlySet<string> = new Set(['FILE', 'DIR', 'PATH', 'NAME=FILE', '@ALIAS=PATH']);

interface Door {
  readonly command: string;
  /** The flag or the argument that holds the credential. */
  readonly name: string;
  readonly args: (text: string) => readonly string[];
}

/** A call of the command as its help shows it, without the name of the program; the first one without a pipe. */
const callsOf = ({ name, examples, shown = [] }: Command): readonly (readonly string[])[] => {
  const lines = [...examples, ...shown].filter((line) => /^cuebook /.test(line) && !/[|<>;]/.test(line));
  return [...lines.map((line) => shellWords(line).slice(1)), [name]];
};

/** Every flag that takes a value and every argument, each in a call of its command that is else as help shows it. */
const DOORS: readonly Door[] = COMMANDS.filter(({ name }) => !(name in ELSEWHERE)).flatMap((command) => {
  const calls = callsOf(command);
  const [first = [command.name]] = calls;
  const flags = flagsOf(command).filter(({ value }) => value !== undefined && !FILES.has(value));
  return [
    ...flags.map(({ name }): Door => {
      const held = calls.find((call) => call.includes(`--${name}`));
      const at = held?.indexOf(`--${name}`) ?? -1;
      const call = held?.filter((_, index) => index !== at && index !== at + 1) ?? first;
      return { command: command.name, name: `--${name}`, args: (text) => [...call, `--${name}`, text] };
    }),
    ...command.args.flatMap(({ name, values }, index): readonly Door[] => {
      if (values === 'path') return [];
      const actions =
        command.actions?.map(([call]) => shellWords(call.replaceAll(/[[\]|]/g, ' '))[0] ?? '') ?? [];
      const [action = 'list'] = actions.slice(1);
      const before = command.actions === undefined || index === 0 ? [] : [action];
      return [{ command: command.name, name, args: (text) => [command.name, ...before, text] }];
    }),
  ];
});

it('every command that takes a value is called, or says why not', () => {
  const called = new Set(DOORS.map(({ command }) => command));
  const left = COMMANDS.filter(
    ({ args, flags }) =>
      args.some(({ values }) => values !== 'path') ||
      flags.some(({ value }) => value !== undefined && !FILES.has(value)),
  );
  expect(
    left
      .map(({ name }) => name)
      .filter((name) => !called.has(name))
      .sort(),
  ).toEqual(Object.keys(ELSEWHERE).sort());
});

it('a credential in any flag or argument is in no byte at rest, and nothing repeats it', async () => {
  const project = folderWith();
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
  expect(await cuebook(['init'], { cwd: project, env })).toMatchObject({ code: 0 });
  const doors = inTurn(sampled(DOORS, 30), 4);
  const tokens = fc.sample(anyToken, { numRuns: doors.length, seed: SEED });
  const leaks: string[] = [];
  for (const [index, { command, name, args }] of doors.entries()) {
    const token = tokens[index] ?? '';
    // Each in a project of its own: what one call makes, another would not get to.
    const cwd = folderWith();
    cpSync(project, cwd, { recursive: true });
    const { stdout, stderr } = await cuebook(args(`with ${token} in it`), { cwd, env });
    const home = join(cwd, '.cuebook');
    const all = stdout + stderr + (existsSync(home) ? homeBytes(home) : '');
    const at = [token, token.slice(-12)].map((part) => all.indexOf(part)).find((each) => each >= 0);
    if (at !== undefined) leaks.push(`${command} ${name}: ${all.slice(Math.max(0, at - 120), at + 60)}`);
  }
  expect(leaks).toEqual([]);
});

it('an error repeats no credential, a name that holds one is refused, and a reason is kept without it', async () => {
  const cwd = folderWith();
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
  await cuebook(['init'], { cwd, env });
  const [token = ''] = fc.sample(anyToken, { numRuns: 1, seed: SEED });
  const typed = [token, `/home/kim/${token}`, `C:\\Users\\kim\\${token}`];
  const wrong = await Promise.all(typed.map((name) => cuebook(['render', `sheet:${name}`], { cwd, env })));
  for (const each of wrong)
    expect(each).toMatchObject({
      code: expect.toSatisfy((code) => code === 1 || code === 2),
      stderr: expect.stringContaining('[removed:credential]'),
    });
  const quota = ['quota', 'set', 'project', '--runs-day', '9'];
  expect(await cuebook([...quota, '--by', token], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--by takes a name, and this one holds'),
  });
  expect(await cuebook([...quota, '--by', 'ada'], { cwd, env })).toMatchObject({ code: 0 });
  const told = wrong.map(({ stderr }) => stderr).join('\n');
  expect(told + homeBytes(join(cwd, '.cuebook'))).not.toContain(token);
});
