import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { CASHIER } from '../../test/acp.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

/** A terminal at which nobody types, and one that ends when it is read. */
const waiting = () =>
  Object.assign(
    (async function* (): AsyncGenerator<Uint8Array> {
      await new Promise(() => undefined);
    })(),
    { isTTY: true },
  );
const ended = () => Object.assign((async function* (): AsyncGenerator<Uint8Array> {})(), { isTTY: true });

describe('a person who types `cuebook acp`', () => {
  it.each(
    inTurn(
      [
        { target: 'nope:x', code: 'E_USAGE', says: 'agent:NAME, team:FILE, workflow:DIR or prompt:NAME' },
        { target: 'sheet:x', code: 'E_USAGE', says: 'agent:NAME, team:FILE, workflow:DIR or prompt:NAME' },
        { target: 'constructor:x', code: 'E_USAGE', says: 'is not a target' },
        { target: 'prompt:', code: 'E_USAGE', says: 'is not a target' },
        { target: 'cashier', code: 'E_USAGE', says: 'is not a target' },
        { target: 'prompt:cashir', code: 'E_TARGET', says: 'Did you mean prompt:cashier?' },
      ],
      4,
    ),
  )('is told at once what is wrong with $target', async ({ target, code, says }) => {
    const outcome = await cuebook(['acp', target], { cwd: folderWith(CASHIER), stdin: waiting() });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(code);
    expect(outcome.stderr).toContain(says);
  });

  it('is told at once where there is no project', async () => {
    const outcome = await cuebook(['acp', 'prompt:cashier'], { cwd: folderWith({}), stdin: waiting() });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('E_NO_PROJECT');
  });

  it.each(inTurn([{ args: [] }, { args: ['prompt:cashier'] }], 4))(
    'is told what is waited for: $args',
    async ({ args }) => {
      const outcome = await cuebook(['acp', ...args], { cwd: folderWith(CASHIER), stdin: ended() });
      expect(outcome).toMatchObject({ code: 0, stdout: '' });
      expect(outcome.stderr).toContain(`${args[0] ?? 'agent:cashier'} waits for an editor`);
    },
  );
});

it.each([
  { command: 'mcp', waits: 'waits for an MCP client' },
  { command: 'mcp serve', waits: 'waits for an MCP client' },
  { command: 'lsp', waits: 'waits for an editor' },
])('a person who types `cuebook $command` is told what is waited for', async ({ command, waits }) => {
  const outcome = await cuebook(command.split(' '), { cwd: folderWith(CASHIER), stdin: ended() });
  expect(outcome).toMatchObject({ code: 0, stdout: '' });
  expect(outcome.stderr).toContain(waits);
});

it.each(['nope:x', 'sheet:x'])(
  'a client that starts %s gets the error before it says a word',
  async (target) => {
    const outcome = await cuebook(['acp', target], {
      cwd: folderWith({}),
      stdin: (async function* (): AsyncGenerator<Uint8Array> {
        await new Promise(() => undefined);
      })(),
    });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('E_USAGE');
  },
);
