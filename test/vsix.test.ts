import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder, zipSource } from '@cuebook/files';
import { expect, it, onTestFinished } from 'vitest';
import { chooseCommand, OWN_COMMAND } from '../apps/vscode/src/choose-command.js';
import { packExtension } from '../scripts/vsix.mjs';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'cuebook-vsix-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('the extension is one archive with all that VS Code looks for, and the same bytes every time', async () => {
  const at = folder();
  const [first, second] = [join(at, 'a.vsix'), join(at, 'b.vsix')];
  await packExtension(first);
  await packExtension(second);
  expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  const files = await openFolder(at, { access: 'ro' });
  const bytes = files.ok ? await files.value.readBytes('a.vsix') : files;
  const archive = bytes.ok ? await zipSource(bytes.value) : undefined;
  if (archive?.ok !== true) throw new Error('the archive cannot be read');
  const read = async (path: string): Promise<string> => {
    const text = await archive.value.readText(path);
    return text.ok ? text.value : text.error.code;
  };
  const manifest = JSON.parse(await read('extension/package.json')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: 'cuebook', publisher: 'cuebook', main: './extension.cjs' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  const identity = await read('extension.vsixmanifest');
  expect(identity).toContain(`Id="cuebook" Version="${String(manifest.version)}" Publisher="cuebook"`);
  for (const [, path = ''] of identity.matchAll(/Path="([^"]+)"/g))
    expect(await read(path)).not.toMatch(/^E_/);
  expect(await read('[Content_Types].xml')).toContain('Extension=".cjs"');
  expect(await read('extension/LICENSES.txt')).toContain('vscode-languageclient');
});

it('the extension is loaded with nothing but what VS Code hands to it', async () => {
  const at = folder();
  const { 'extension/extension.cjs': code } = await packExtension(join(at, 'a.vsix'));
  writeFileSync(join(at, 'extension.cjs'), code);
  // Whatever is asked of the editor's own module is a class with anything in it.
  const probe = `const Module = require('node:module');
const load = Module._load;
const any = () => new Proxy(class {}, { get: (of, name) => (name in of ? of[name] : any()) });
Module._load = (name, ...rest) => (name === 'vscode' ? any() : load(name, ...rest));
console.log(Object.keys(require('./extension.cjs')).sort().join());`;
  writeFileSync(join(at, 'probe.cjs'), probe);
  expect(execFileSync(process.execPath, ['probe.cjs'], { cwd: at }).toString()).toBe('activate,deactivate\n');
});

it.each([
  [
    { said: ' /opt/cuebook ', hasOwn: true },
    { command: '/opt/cuebook', args: ['lsp'] },
  ],
  [
    { said: '', hasOwn: true },
    { command: 'node', args: [OWN_COMMAND, 'lsp'] },
  ],
  [
    { said: '', hasOwn: false },
    { command: 'cuebook', args: ['lsp'] },
  ],
])('with %j the server is started by %j', (given, chosen) => {
  expect(chooseCommand(given)).toEqual(chosen);
});
