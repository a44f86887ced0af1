import { memorySource, type TextSource } from '@cuebook/files';
import { createRedactor } from '@cuebook/prompt';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyProfile } from './profile.js';
import { checkTarget, composeTarget } from './workbench.js';

const profile = {
  prefix: 'note',
  input: z.object({}),
  find: async () => [],
  load: async (project: TextSource, name: string) => {
    const text = await project.readText(name);
    return { ok: true, value: text.ok ? text.value : '', diagnostics: [] };
  },
  check: () => [],
  sample: () => ({}),
  compose: () => ({ ok: true, value: { blocks: [], tools: [], params: {} } }),
} as unknown as AnyProfile;

test('words of now never pass for those of a revision', async () => {
  const project = memorySource({ a: 'x' });
  if (!project.ok) throw new Error('no project');
  const bench = {
    profiles: [profile],
    project: project.value,
    hash: () => 'sha256:x',
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  };
  const codes = async (revision: string | undefined, target: string) => {
    const on = revision === undefined ? bench : { ...bench, revision };
    const composed = await composeTarget(on, target);
    const checked = await checkTarget(on, target);
    const told = composed.ok ? [] : composed.diagnostics;
    expect(checked.diagnostics.map(({ code }) => code)).toEqual(told.map(({ code }) => code));
    return told.map(({ code }) => code);
  };
  expect(await codes(undefined, 'note:a')).toEqual([]);
  expect(await codes('production', 'note:a@production')).toEqual([]);
  // A project of then may be walked through by bare names.
  expect(await codes('production', 'note:a')).toEqual([]);
  expect(await codes(undefined, 'note:a@production')).toEqual(['E_REVISION']);
  expect(await codes('staging', 'note:a@production')).toEqual(['E_REVISION']);
});
