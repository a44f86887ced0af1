import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEET = (text: string): string =>
  `blocks:\n  - { name: a, role: user, parts: [{ text: "${text}" }] }\n`;

interface Round {
  readonly when: (documents: readonly unknown[]) => boolean;
  readonly act: () => void;
}

/** Watches until every round has come: each waits for its output, then makes the next change. */
async function watch(
  args: readonly string[],
  cwd: string,
  rounds: readonly Round[],
): Promise<readonly unknown[]> {
  const stop = new AbortController();
  let next = 0;
  let documents: readonly unknown[] = [];
  const { code } = await cuebook([...args, '--watch', '--json'], {
    cwd,
    stop: stop.signal,
    onPrint: (stdout) => {
      documents = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      const round = rounds[next];
      if (round === undefined || !round.when(documents)) return;
      next += 1;
      round.act();
      if (next === rounds.length) stop.abort();
    },
  });
  expect(code).toBe(130);
  return documents;
}

const last = (documents: readonly unknown[]) => documents.at(-1) as { ok?: boolean; hash?: string };

it('check --watch checks again after a change, one document a line', async () => {
  const cwd = folderWith({ 'sheets/a.yaml': SHEET('one') });
  const file = join(cwd, 'sheets/a.yaml');
  const documents = await watch(['check'], cwd, [
    { when: (all) => last(all).ok === true, act: () => writeFileSync(file, 'blocks: 3\n') },
    { when: (all) => last(all).ok === false, act: () => writeFileSync(file, SHEET('two')) },
    { when: (all) => last(all).ok === true, act: () => undefined },
  ]);
  expect(documents.length).toBeGreaterThanOrEqual(3);
});

it('render --watch goes on when the project does not compose for a while', async () => {
  const cwd = folderWith({ 'sheets/a.yaml': SHEET('one') });
  const file = join(cwd, 'sheets/a.yaml');
  await watch(['render', 'sheet:a'], cwd, [
    { when: (all) => last(all).hash !== undefined, act: () => rmSync(file) },
    { when: (all) => last(all).ok === false, act: () => writeFileSync(file, SHEET('two')) },
    { when: (all) => JSON.stringify(last(all)).includes('two'), act: () => undefined },
  ]);
});

it('types --watch writes after a change, goes on past a broken sheet, and says nothing of what it wrote itself', async () => {
  const sheet = (name: string): string =>
    `inputs:\n  ${name}: { trust: user, secrecy: public, volatility: turn, example: x }\nblocks:\n  - { name: a, role: user, parts: [{ input: ${name} }] }\n`;
  const cwd = folderWith({ 'sheets/a.yaml': sheet('one') });
  const file = join(cwd, 'sheets/a.yaml');
  const written = (all: readonly unknown[], count: number): boolean => all.length === count;
  const documents = await watch(['types'], cwd, [
    {
      when: (all) => written(all, 1),
      act: () => {
        writeFileSync(file, 'blocks: 3\n');
        writeFileSync(file, sheet('two'));
      },
    },
    { when: (all) => written(all, 2), act: () => writeFileSync(file, sheet('three')) },
    { when: (all) => written(all, 3), act: () => undefined },
  ]);
  expect(documents.map((each) => (each as { changed: boolean }).changed)).toEqual([true, true, true]);
  expect(readFileSync(join(cwd, 'cuebook-types.d.ts'), 'utf8')).toContain('"three"');
});
