import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');

describe('out and in again', () => {
  const SHEET =
    'params: { model: m }\ninputs:\n  a: { trust: operator, secrecy: public, volatility: turn, required: false }\n  b: { trust: operator, secrecy: public, volatility: turn, required: false }\nblocks:\n  - name: x\n    role: system\n    parts: [{ text: "Be " }, { input: a }, { text: ", {x} and \\\\ kind.\\n" }]\n  - name: y\n    role: user\n    parts: [{ input: b }, { input: a }, { text: "!" }]\n';

  it.each([
    { to: 'langfuse', file: 'out.json' },
    { to: 'langchain', file: 'out.json' },
    { to: 'dotprompt', file: 'out.prompt' },
  ])('is a fixed point: $to', async ({ to, file }) => {
    const first = folderWith({ 'sheets/p.yaml': SHEET });
    expect((await cuebook(['export', 'sheet:p', '--to', to, '--out', file], { cwd: first })).code).toBe(0);
    const second = folderWith({ 'cuebook.yaml': '', [file]: read(first, file) });
    expect(
      (await cuebook(['import', file, '--name', 'p', '--trust', 'operator'], { cwd: second })).code,
    ).toBe(0);
    const values = ['--set', 'a=A', '--set', 'b=B', '--json'];
    const [one, two] = await Promise.all(
      [first, second].map(
        async (cwd) => JSON.parse((await cuebook(['render', 'sheet:p', ...values], { cwd })).stdout).messages,
      ),
    );
    expect(two).toEqual(one);
    await cuebook(['export', 'sheet:p', '--to', to, '--out', `again-${file}`], { cwd: second });
    const third = folderWith({ 'cuebook.yaml': '', [file]: read(second, `again-${file}`) });
    await cuebook(['import', file, '--name', 'p', '--trust', 'operator'], { cwd: third });
    const withoutMeta = (cwd: string): string =>
      read(cwd, 'sheets/p.yaml').replace(/^meta:\n(?: .*\n)*/m, '');
    expect(withoutMeta(third)).toBe(withoutMeta(second));
  });
});
