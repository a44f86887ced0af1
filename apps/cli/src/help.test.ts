import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../test/cuebook.js';
import { actionName, visible } from './command.js';
import { COMMANDS } from './commands.js';
import { flagsWithInputs, INPUTS } from './table/inputs.js';

const VISIBLE = visible(COMMANDS);
const ACTING = VISIBLE.flatMap(({ name, actions, flags }) =>
  actions === undefined ? [] : [{ name, actions, flags, names: actions.map(actionName) }],
);
const TAKING = VISIBLE.filter(({ takesInput }) => takesInput === true);

const helpOf = async (...args: string[]): Promise<string> =>
  (await cuebook([...args, '--help'], { cwd: folderWith() })).stdout;

/** A page without its layout. */
const plain = (page: string): string => page.replace(/\s+/g, ' ');

/** Whether a page lists a flag. */
const lists = (page: string, flag: string): boolean =>
  new RegExp(`\\n +(?:-\\w, )?--${flag}[ \\n]`).test(page);

it.each(VISIBLE)('$name has an example', ({ examples, shown }) => {
  expect([...examples, ...(shown ?? [])]).not.toEqual([]);
});

it.each(VISIBLE.filter(({ name }) => name !== 'help'))(
  'an example of $name is a call of it, and not of its help',
  ({ name, examples, shown }) => {
    for (const line of [...examples, ...(shown ?? [])])
      expect(line.split(' | ').at(-1)).toMatch(new RegExp(`^cuebook ${name}(?: |$)`));
  },
);

describe('actions', () => {
  it('are listed by every command that has an argument of that name', () => {
    const named = VISIBLE.filter(({ args }) => args[0]?.name === 'action').map(({ name }) => name);
    expect(ACTING.map(({ name }) => name)).toEqual(named);
  });

  it.each(ACTING)('of $name are in its help, each with what it does', async ({ name, actions, names }) => {
    expect(new Set(names).size).toBe(names.length);
    const page = plain(await helpOf(name));
    for (const [call, does] of actions) {
      expect(page).toContain(` ${call} `);
      expect(page).toContain(plain(does.replaceAll(/`[^`]*`/g, '')).slice(0, 40));
    }
  });

  it.each(ACTING)('that flags of $name name are among them', ({ flags, names }) => {
    const prefixes = flags.flatMap(({ description }) => {
      const [, before] = /^(?:with )?([a-z-]+(?:, [a-z-]+)*)(?: root)?: /.exec(description) ?? [];
      return before?.split(', ') ?? [];
    });
    expect(prefixes.filter((prefix) => !names.includes(prefix))).toEqual([]);
  });

  it.each(ACTING.filter(({ name }) => name !== 'mcp'))(
    'of $name are all named to whoever names another',
    async ({ name, names }) => {
      const { code, stderr } = await cuebook([name, 'zzzzzzzz'], { cwd: folderWith({ 'cuebook.yaml': '' }) });
      expect(code).toBe(2);
      for (const action of names) expect(stderr).toContain(action);
    },
  );
});

describe.each(ACTING)('an action of $name', ({ name, names }) => {
  it.each(names.filter((action) => action.length > 3))(
    '%s is offered to whoever misspells it',
    async (action) => {
      const misspelt = `${action}${action.slice(-1)}`;
      const { code, stderr } = await cuebook([name, misspelt], { cwd: folderWith({ 'cuebook.yaml': '' }) });
      expect(code).toBe(2);
      expect(stderr).toContain(`Did you mean ${action}?`);
    },
  );
});

describe.each(TAKING)('the help of $name', ({ name, ...command }) => {
  const all = flagsWithInputs({ name, ...command });
  const kinds = [...new Set(all.flatMap((flag) => flag.kinds ?? []))];

  it.each(kinds)('shows the options of %s: when that kind is named, and of no other', async (kind) => {
    const page = await helpOf(name, `${kind}:x`);
    for (const flag of all)
      if (flag.kinds !== undefined)
        expect([flag.name, lists(page, flag.name)]).toEqual([flag.name, flag.kinds.includes(kind)]);
    const own = INPUTS.find(({ prefix }) => prefix === kind)?.flags ?? [];
    for (const { description } of own) expect(plain(page)).toContain(plain(description));
  });

  it('names the kinds that have options of their own, and shows none of these', async () => {
    const page = await helpOf(name);
    for (const kind of kinds) expect(page).toContain(kind);
    for (const flag of all) if (flag.kinds !== undefined) expect(lists(page, flag.name)).toBe(false);
  });
});
