import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { BIN, folderWith } from '../../test/cuebook.js';

const SHEET = `title: Greet
blocks:
  - name: rules
    role: system
    parts:
      - text: "😀 "
      - include: tome
`;

/** Opens the sheet, waits for what is said of it, asks about the include, applies the fix, waits until all is well. */
const SCRIPT = `
local function fail(why) vim.fn.writefile({ vim.fn.json_encode({ failed = tostring(why) }) }, ANSWER) vim.cmd('cquit 1') end
local ok, why = pcall(function()
  vim.cmd('edit sheets/greet.yaml')
  local client = vim.lsp.start_client({ cmd = { NODE, BIN, 'lsp', '--stdio' }, root_dir = vim.fn.getcwd(), name = 'cuebook' })
  vim.lsp.buf_attach_client(0, client)
  local function wait(what) if not vim.wait(60000, what, 20) then error('waited in vain') end end
  wait(function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)[1]
  local line = vim.fn.search('include: tome') - 1
  local place = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = 17 } }
  local range = { start = { line = line, character = 0 }, ['end'] = { line = line, character = 20 } }
  local asked = vim.lsp.buf_request_sync(0, 'textDocument/codeAction',
    { textDocument = place.textDocument, range = range, context = { diagnostics = {} } }, 60000)
  local actions = asked[client].result
  vim.lsp.util.apply_workspace_edit(actions[1].edit, vim.lsp.get_client_by_id(client).offset_encoding)
  wait(function() return #vim.diagnostic.get(0) == 0 end)
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 60000)
  local definition = vim.lsp.buf_request_sync(0, 'textDocument/definition', place, 60000)
  vim.fn.writefile({ vim.fn.json_encode({
    diagnostic = { found.lnum, found.col, found.end_col, found.code, found.message },
    title = actions[1].title,
    line = vim.fn.getline(line + 1),
    hover = hover[client].result.contents.value,
    definition = definition[client].result[1].uri,
  }) }, ANSWER)
  vim.lsp.stop_client(client)
  wait(function() return vim.lsp.client_is_stopped(client) end)
end)
if not ok then fail(why) end
vim.cmd('qall!')
`;

describePart('nvim', 'the language server in Neovim', ({ path }) => {
  it('is told what is wrong, applies its fix, shows its card and follows its definition', () => {
    const folder = folderWith({
      'cuebook.yaml': 'roots: {}\n',
      'sheets/greet.yaml': SHEET,
      'texts/tone.md': 'Be kind.\n',
    });
    const beside = folderWith();
    const script = join(beside, 'script.lua');
    const answer = join(beside, 'answer.json');
    const given = { NODE: process.execPath, BIN, ANSWER: answer };
    const head = Object.entries(given).map(([name, value]) => `local ${name} = ${JSON.stringify(value)}\n`);
    writeFileSync(script, head.join('') + SCRIPT);
    const args = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${script}`];
    const env = { ...process.env, XDG_STATE_HOME: beside, XDG_CACHE_HOME: beside, XDG_DATA_HOME: beside };
    execFileSync(path, args, { cwd: folder, env });
    const told = JSON.parse(readFileSync(answer, 'utf8')) as Record<string, unknown>;
    expect(told).toEqual({
      diagnostic: [6, 17, 21, 'E_INCLUDE_UNKNOWN', expect.stringContaining('Did you mean "tone"?')],
      title: 'Change to "tone"',
      line: '      - include: tone',
      hover: expect.stringContaining('Be kind.'),
      definition: expect.stringMatching(/texts\/tone\.md$/),
    });
  });
});
