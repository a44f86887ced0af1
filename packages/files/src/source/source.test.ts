import { expect, it } from 'vitest';
import { makeScratch, outcome, plant, WAYS } from '../../test/scratch.js';
import { describeTextSource } from '../../test/source-conformance.js';
import { openFolder, openMounts } from '../files.js';
import { memorySource } from './memory.js';

for (const [way, options] of WAYS) {
  describeTextSource(`${way} folder`, '', async (texts) => {
    const { root } = await makeScratch();
    plant(root, texts);
    return openFolder(root, options);
  });
  describeTextSource(`${way} mounts`, '@project/', async (texts) => {
    const { root } = await makeScratch();
    plant(root, texts);
    return openMounts([{ alias: '@project', root, access: 'ro' }], options);
  });
}

describeTextSource('memory without mounts', '', async (texts) => memorySource(texts));
describeTextSource('memory of bytes', '', async (texts) =>
  memorySource(
    Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)])),
  ),
);
describeTextSource('memory with mounts', '@project/', async (texts) => {
  const named = Object.entries(texts).map(([path, text]) => [`@project/${path}`, text] as const);
  return memorySource(Object.fromEntries(named), { aliases: ['@project'] });
});

it.each([
  [{ '../a': '' }, 'E_SANDBOX_VIOLATION dotdot'],
  [{ '/a': '' }, 'E_SANDBOX_VIOLATION absolute'],
  [{ a: '', 'a/b': '' }, 'E_NOT_A_DIRECTORY'],
  [{ 'a/b': '', a: '' }, 'E_NOT_A_FILE'],
  [{ '.': '' }, 'E_NOT_A_FILE'],
])('memory refuses %j', (texts, expected) => {
  expect(outcome(memorySource(texts as Readonly<Record<string, string>>))).toBe(expected);
});
