import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../../test/root.js';
import { inTurn } from '../../../test/runs.js';
import { cuebook, folderWith } from '../test/cuebook.js';
import { TEMPLATE } from './init/template.js';

const HOOKS = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
  readonly id: string;
  readonly entry: string;
}[];

it.each(inTurn(HOOKS, 4))(
  'the hook $id passes in a project that is as `cuebook init` wrote it',
  async ({ entry }) => {
    const [npx, option, name, ...words] = entry.split(' ');
    expect([npx, option, name]).toEqual(['npx', '--no-install', 'cuebook']);
    const { code, stderr } = await cuebook(words, { cwd: folderWith(TEMPLATE) });
    expect(code, stderr).toBe(0);
  },
);
