import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUNDLE, bundledHash, sourcesHash } from '../../../scripts/bundle.mjs';
import { itInTurn } from '../../../test/runs.js';
import { BIN, folderWith } from '../test/cuebook.js';
import { TEMPLATE } from './init/template.js';

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

/** The packages that a call of the built command loads, and the modules, as the maps of the bundle name them. */
function loadedBy(args: readonly string[]) {
  const cwd = folderWith(TEMPLATE);
  const [log, hooks, start] = ['log.txt', 'hooks.mjs', 'start.mjs'].map((name) => join(folderWith(), name));
  writeFileSync(String(log), '');
  writeFileSync(String(hooks), HOOKS);
  writeFileSync(
    String(start),
    `import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
import { pathToFileURL } from 'node:url';
process.on('exit', () => {
  for (const file of Object.keys(Module._cache)) appendFileSync(${JSON.stringify(log)}, pathToFileURL(file).href + '\\n');
});
register(${JSON.stringify(`file://${hooks}`)}, { data: ${JSON.stringify(log)} });\n`,
  );
  const { status, stderr } = spawnSync(process.execPath, ['--import', String(start), BIN, ...args], { cwd });
  expect([status, stderr.toString()]).toEqual([0, expect.not.stringContaining('error')]);
  const files = [...new Set(readFileSync(String(log), 'utf8').split('\n'))].filter((url) =>
    url.startsWith('file:'),
  );
  const modules = files.flatMap((url) => {
    const map = `${fileURLToPath(url)}.map`;
    if (!existsSync(map)) return [url];
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { readonly sources: readonly string[] };
    return sources;
  });
  const packages = modules.flatMap((module) => {
    const [, ours] = /(?:^|\/)packages\/([a-z]+)\//.exec(module) ?? [];
    const [, theirs] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
    return ours ?? theirs ?? [];
  });
  return { packages: [...new Set(packages)].sort(), modules, files };
}

describe('the command that users start', () => {
  it('is the bundle, made from the sources of now', () => {
    const ours = loadedBy(['render', 'sheet:review']).files.filter((url) => !url.includes('/node_modules/'));
    const isBundled = (url: string) => url.includes(`/${BUNDLE}/`) || url === pathToFileURL(BIN).href;
    expect(ours.length).toBeGreaterThan(1);
    expect(ours.filter((url) => !isBundled(url))).toEqual([]);
    expect(bundledHash()).toBe(sourcesHash());
  });
});

describe('a command loads what it uses', () => {
  it.each([[['help']], [['help', 'render']], [['render', '--help']], [['--version']]])(
    '%j: the table of commands and nothing that it names',
    (args) => {
      const { packages, modules } = loadedBy(args);
      expect(packages).toEqual(['commander', 'guard', 'prompt']);
      expect(modules.filter((module) => module.includes('packages/prompt/'))).toEqual([
        expect.stringContaining('/packages/prompt/src/hint.ts'),
      ]);
    },
  );

  it('help of a code: the tables of codes alone', () => {
    const { packages, modules } = loadedBy(['help', 'E_AT']);
    expect(packages.filter((name) => !OURS.has(name))).toEqual(['commander']);
    const others = modules.filter(
      (module) =>
        module.includes('packages/') &&
        !/\/(?:conversation\/)?codes\.ts$|\/hint\.ts$|\/packages\/guard\/src\/index\.ts$/.test(module),
    );
    expect(others).toEqual([]);
  });

  it.each([[['explain', 'sheet:review', '--at', '0']], [['render', 'sheet:review']]])(
    '%j: one kind of target, and no tokenizer',
    (args) => {
      expect(loadedBy(args).packages).toEqual([
        'commander',
        'files',
        'guard',
        'profile',
        'prompt',
        'sheet',
        'yaml',
        'zod',
      ]);
    },
  );

  it('the language server loads no kind of target before a project is open', () => {
    expect(loadedBy(['lsp', '--stdio']).packages).toEqual([
      'commander',
      'editor',
      'files',
      'guard',
      'profile',
      'prompt',
      'vscode-jsonrpc',
      'vscode-languageserver',
      'vscode-languageserver-protocol',
      'vscode-languageserver-types',
      'yaml',
      'zod',
    ]);
  });

  itInTurn(
    'a server that starts has no library of telemetry, no template engine and nothing that compares',
    () => {
      const { packages, modules } = loadedBy(['approvals']);
      expect(packages).toEqual(expect.arrayContaining(['host', 'journal', 'libsql', 'hono']));
      const late = packages.filter((name) => /^(?:@opentelemetry\/|manifest$|template$)/.test(name));
      expect(late).toEqual([]);
      expect(modules.filter((module) => /packages\/prompt\/src\/diff\//.test(module))).toEqual([]);
    },
  );

  itInTurn('render counts tokens where the count is shown', () => {
    for (const flag of ['--tokens', '--json'])
      expect(loadedBy(['render', 'sheet:review', flag]).packages).toContain('gpt-tokenizer');
  });
});

/** Our packages, as folders. */
const OURS: ReadonlySet<string> = new Set(
  'adopt api bundle define editor engine eval files guard host journal manifest platform profile prompt provider resident sheet team template thread turn workflow workspace'.split(
    ' ',
  ),
);
