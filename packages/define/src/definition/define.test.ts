import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { z } from 'zod';
import { itInTurn as it } from '../../../../test/runs.js';
import { defineAgent, defineHook, defineModel, definePrompt, defineTool } from './define.js';
import { HOOK_KINDS } from './hook.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** What the compiler says about a project of this package. */
async function compile(folder: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(ROOT, 'packages/define', folder)];
  const answer = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch(
    (error: unknown) => error,
  );
  return (answer as { stdout: string }).stdout;
}

it('types refuse what check would: every error that types/definitions.ts expects is one', async () => {
  expect(await compile('types')).toBe('');
});

it('the loading thread, which is not built, has no type error', async () => {
  expect(await compile('bin')).toBe('');
});

it('definers answer the definition itself, and mark its kind where nobody counts properties', () => {
  const kind = (value: object): unknown => Reflect.get(value, Symbol.for('cuebook.kind'));
  const given = {
    name: 'a',
    toolDescription: 'A',
    model: 'm',
    prompt: 'A',
    requiredSchema: z.object({}),
  } as const;
  const made = definePrompt(given);
  expect(made).toBe(given);
  expect(Object.keys(made)).toEqual(['name', 'toolDescription', 'model', 'prompt', 'requiredSchema']);
  const frozen = Object.freeze({ name: 'm', provider: 'p', model: 'x' });
  expect(defineModel(frozen)).toEqual(frozen);
  expect(
    [
      made,
      defineModel(frozen),
      defineTool({ description: 't', execute: () => ({ status: 'success' }) }),
      defineAgent({ name: 'd', sideA: { prompt: 'a' } }),
      defineHook({ hook: 'filter_messages', id: 'h', execute: () => undefined }),
    ].map(kind),
  ).toEqual(['prompt', 'model', 'tool', 'agent', 'hook']);
});

it('there are twelve kinds of hooks', () => {
  expect(new Set(HOOK_KINDS).size).toBe(12);
});
