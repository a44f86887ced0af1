import { readFileSync, writeFileSync } from 'node:fs';
import { type RunId, rebuildTurn } from '@cuebook/journal';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { openKeptFiles } from '../../src/index.js';
import { must, until } from '../stand.js';
import type { KindKit } from './kit.js';

/** A person moves a run to other sources: the turns before keep theirs, the turns after use the new ones. */
export function describeUpdates(kit: KindKit): void {
  const { fixture, says, again, stand, begin, isStill, goOn, turnHit } = kit;
  const { edit } = fixture;

  if (edit === undefined) {
    it('keeps the sources of its beginning, and says so to who wants it moved', async () => {
      const host = await stand().open();
      const run = await begin(host, [says('Hello.')]);
      await until(host, run, isStill);
      const refused = await host.update(run, 'folder', { id: 'u', by: 'ann' });
      expect(refused).toMatchObject({ ok: false, error: { code: 'E_UPDATE_KIND', kind: 'conflict' } });
      const types = (await stand().store.read(run, {})).map(({ type }) => type);
      expect(types).not.toContain('run.updated');
    });
    return;
  }

  const rewrite = (): void => {
    const text = readFileSync(`${stand().project}/${edit.file}`, 'utf8');
    expect(text).toContain(edit.from);
    writeFileSync(`${stand().project}/${edit.file}`, text.replaceAll(edit.from, edit.to));
  };
  const eventsOf = (run: RunId) => stand().store.read(run, {});
  const turnsOf = async (run: RunId): Promise<readonly string[]> =>
    (await eventsOf(run)).flatMap(({ type, data }) =>
      type === 'turn.recorded' ? [(data as { readonly turn: string }).turn] : [],
    );
  const sentIn = async (run: RunId, turn: string): Promise<string> => {
    const { request } = must(await rebuildTurn(stand().store, run, turn));
    return JSON.stringify([request.prompt.blocks.map(({ text }) => text), request.tools]);
  };
  const expectMoved = async (run: RunId): Promise<void> => {
    const turns = await turnsOf(run);
    expect(turns).toHaveLength(2);
    const [before = '', after = ''] = turns;
    expect(await sentIn(run, before)).toContain(edit.from);
    expect(await sentIn(run, before)).not.toContain(edit.to);
    expect(await sentIn(run, after)).toContain(edit.to);
    const kept = await Promise.all(turns.map((turn) => openKeptFiles(stand().store, run, turn)));
    expect(kept.map((find) => find(edit.file)?.text.includes(edit.to))).toEqual([false, true]);
  };

  it.each([['the same process'], ['another process']])(
    'moved by a person, uses the new sources from its next turn on, in %s',
    async (where) => {
      const first = await stand().open();
      const run = await begin(first, [again.after, says('Two.')]);
      await until(first, run, isStill);
      if (where === 'another process') await stand().stopAll('wait');
      rewrite();
      const host = where === 'another process' ? await stand().open() : first;
      const said = { id: 'u1', by: 'ann' };
      const moved = must(await host.update(run, 'folder', said));
      expect(must(await host.update(run, 'folder', said))).toEqual(moved);
      const same = await host.update(run, 'folder', { id: 'u2', by: 'ann' });
      expect(same).toMatchObject({ ok: false, error: { code: 'E_UPDATE_SAME', kind: 'conflict' } });
      const updates = (await eventsOf(run)).filter(({ type }) => type === 'run.updated');
      expect(updates).toMatchObject([{ data: { by: 'ann', to: { files: expect.anything() } } }]);
      await goOn(host, run);
      await until(host, run, (each) => isStill(each) && each.turns === 2);
      await expectMoved(run);
    },
  );

  it('moved while a turn is under way, ends that turn with the old sources and goes on with the new ones', async () => {
    let [performed, letGo] = [0, (): void => undefined];
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHeld = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const fault = async (point: string): Promise<void> => {
      if (point !== 'performed') return;
      performed += 1;
      if (performed !== turnHit) return;
      isHeld();
      await held;
    };
    const worker = await stand().open({ fault });
    const run = await begin(worker, [fixture.stalls ?? {}, says('Two.')]);
    await reached;
    rewrite();
    const other = await stand().open();
    must(await other.update(run, 'folder', { id: 'u1', by: 'ann' }));
    letGo();
    await until(worker, run, (each) => isStill(each) && each.turns === 2);
    await expectMoved(run);
  });
}
