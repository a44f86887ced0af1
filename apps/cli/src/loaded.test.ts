import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BIN, folderWith } from '../test/cuebook.js';
import { buildCommand } from '../test/terminal.js';
import { TEMPLATE } from './init/template.js';

beforeAll(buildCommand, 300_000);

/** Writes down every module that is looked for, while the command runs. */
const HOOKS = `import { appendFileSync } from 'node:fs';
let log;
export const initialize = (file) => { log = file; };
export const resolve = async (name, context, next) => {
  const found = await next(name, context);
  appendFileSync(log, found.url + '\\n');
  return found;
};
`;

/** The packages that a call of the built command loads, and the modules of ours. */
function loadedBy(args: readonly string[]) {
  const cwd = folderWith(TEMPLATE);
  const [log, hooks, start] = ['log.txt', 'hooks.mjs', 'start.mjs'].map((name) => join(folderWith(), name));
  writeFileSync(String(log), '');
  writeFileSync(String(hooks), HOOKS);
  writeFileSync(
    String(start),
    `import { register } from 'node:module';\nregister(${JSON.stringify(`file://${hooks}`)}, { data: ${JSON.stringify(log)} });\n`,
  );
  const { status, stderr } = spawnSync(process.execPath, ['--import', String(start), BIN, ...args], { cwd });
  expect([status, stderr.toString()]).toEqual([0, expect.not.stringContaining('error')]);
  const urls = readFileSync(String(log), 'utf8').split('\n');
  const packages = urls.flatMap((url) => {
    const [, ours] = /\/packages\/([a-z]+)\//.exec(url) ?? [];
    const [, theirs] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    return ours ?? theirs ?? [];
  });
  return { packages: [...new Set(packages)].sort(), urls: [...new Set(urls)] };
}

describe('a command loads what it uses', () => {
  it.each([[['help']], [['help', 'render']], [['render', '--help']], [['--version']]])(
    '%j: the table of commands and nothing that it names',
    (args) => {
      const { packages, urls } = loadedBy(args);
      expect(packages).toEqual(['commander', 'prompt']);
      expect(urls.filter((url) => url.includes('/packages/prompt/'))).toEqual([
        expect.stringContaining('/packages/prompt/dist/hint.js'),
      ]);
    },
  );

  it('help of a code: the tables of codes alone', () => {
    const { packages, urls } = loadedBy(['help', 'E_AT']);
    expect(packages.filter((name) => !OURS.has(name))).toEqual(['commander']);
    const others = urls.filter(
      (url) => url.includes('/packages/') && !/\/(?:agent\/)?codes\.js$|\/hint\.js$/.test(url),
    );
    expect(others).toEqual([]);
  });

  it.each([[['explain', 'sheet:review', '--at', '0']], [['render', 'sheet:review']]])(
    '%j: one kind of target, and no tokenizer',
    (args) => {
      expect(loadedBy(args).packages).toEqual([
        'commander',
        'files',
        'profile',
        'prompt',
        'sheet',
        'yaml',
        'zod',
      ]);
    },
  );

  it('render counts tokens where the count is shown', () => {
    for (const flag of ['--tokens', '--json'])
      expect(loadedBy(['render', 'sheet:review', flag]).packages).toContain('gpt-tokenizer');
  });
});

/** Our packages, as folders. */
const OURS: ReadonlySet<string> = new Set(
  'api bundle define engine files journal manifest platform profile prompt provider resident sheet team template thread workflow workspace'.split(
    ' ',
  ),
);
