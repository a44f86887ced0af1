import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rebuildTurn } from '@cuebook/journal';
import { explain } from '@cuebook/prompt';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { must, until } from '../stand.js';
import type { KindKit } from './kit.js';

/** The words of a run: those of its beginning, each with its origin. */
export function describeSources(kit: KindKit): void {
  const { fixture, says, again, stand, begin, isStill, goOn } = kit;

  const table = ['edited', 'deleted'].flatMap((how) => [
    [how, 'the same process'],
    [how, 'another process'],
  ]);
  it.each(fixture.certified === undefined ? table : [])(
    'is told the words of its beginning after every source was %s, in %s',
    async (how, where) => {
      const first = await stand().open();
      const run = await begin(first, [again.after, says('Two.')]);
      await until(first, run, isStill);
      if (where === 'another process') await stand().stopAll('wait');
      for (const file of Object.keys(fixture.files)) {
        const path = `${stand().project}/${file}`;
        if (how === 'deleted') rmSync(path);
        else writeFileSync(path, readFileSync(path, 'utf8').replaceAll(fixture.told.text, 'other words'));
      }
      const host = where === 'another process' ? await stand().open() : first;
      await goOn(host, run);
      await until(host, run, (each) => isStill(each) && each.turns === 2);
      const recorded = (await stand().store.read(run, {})).filter(({ type }) => type === 'turn.recorded');
      const turns = recorded.map(({ data }) => (data as { readonly turn: string }).turn);
      const { request } = must(await rebuildTurn(stand().store, run, turns.at(-1) ?? ''));
      const sent = JSON.stringify([request.prompt.blocks.map(({ text }) => text), request.tools]);
      expect(turns).toHaveLength(2);
      expect(sent).toContain(fixture.told.text);
      expect(sent).not.toContain('other words');
    },
  );

  it('any byte of a recorded turn answers with its origin', async () => {
    const host = await stand().open();
    const run = await begin(host, [says('Hello.')]);
    await until(host, run, isStill);
    const recorded = (await stand().store.read(run, {})).find(({ type }) => type === 'turn.recorded');
    const { turn } = (recorded?.data ?? {}) as { readonly turn: string };
    const rebuilt = must(await rebuildTurn(stand().store, run, turn));
    const { blocks } = rebuilt.request.prompt;
    const whole = Buffer.from(blocks.map(({ text }) => text).join('\n\n'));
    const at = whole.indexOf(fixture.told.text);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(explain({ blocks }, at)?.origin.ref).toContain(fixture.told.ref);
    for (let byte = 0; byte < whole.length; byte += 97) expect(explain({ blocks }, byte)).toBeDefined();
  });
}
