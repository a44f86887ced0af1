import type { Store, StoreFaultPoint } from '@cuebook/journal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTurn } from '../../../../../test/runs.js';
import { conversation, RUN, type Speech } from '../../../test/conversation.js';
import { type SqliteFolder, sqliteFolder } from '../../../test/sqlite.js';

let folder: SqliteFolder;
beforeEach(() => {
  folder = sqliteFolder();
});
afterEach(async () => {
  for (const { engine } of open.splice(0)) await engine.stop({ running: 'abort' });
  await folder.remove();
});

const open: ReturnType<typeof conversation>[] = [];

const says =
  (text: string): Speech =>
  async (turn) => {
    await turn.pass('http', 'bytes of the request');
    turn.emit({ type: 'text.delta', block: 0, text });
    return { reason: 'done' };
  };

/** Which events share a commit. */
const commitsOf = async (store: Store): Promise<readonly (readonly string[])[]> =>
  (await store.commits(RUN)).map(({ events }) => events.map(({ type }) => type));

async function talk(store: Store, given: Partial<Parameters<typeof conversation>[0]> = {}) {
  const talking = conversation({ store, speeches: [says('hello')], ...given });
  open.push(talking);
  await talking.engine.start();
  await talking.submit({ type: 'agent.start', text: 'hello', by: 'ann' });
  await talking.engine.drain();
  return talking;
}

describe('the receipts of a turn', () => {
  it('share a commit with the mark and with the outcome of its effect: three commits from question to answer', async () => {
    const store = await folder.open();
    const talking = await talk(store);
    const [asked, begun, ended, ...more] = await commitsOf(store);
    expect(asked?.at(-1)).toBe('effect.intended');
    expect(begun).toEqual(['turn.recorded', 'effect.begun']);
    expect(ended?.slice(0, 2)).toEqual(['turn.ended', 'effect.settled']);
    expect(more).toEqual([]);
    expect(await talking.verify()).toMatchObject({ ok: true, turns: 1, problems: [] });
  });

  it('stand by themselves where a crash is looked into: what was heard is on record before anything is decided on it', async () => {
    const store = await folder.open();
    await talk(store, { config: { onTurnCrash: 'ask-person' } });
    const commits = await commitsOf(store);
    expect(commits.slice(1, 4)).toEqual([['effect.begun'], ['turn.recorded'], ['turn.ended']]);
    expect(commits[4]?.[0]).toBe('effect.settled');
  });

  it.each<StoreFaultPoint>(inTurn(['blob', 'append', 'project', 'receipt', 'commit'], 4))(
    'are there with the outcome or not at all when the journal fails at its step %s, and the run goes on',
    async (step) => {
      for (const when of ['before', 'after'] as const) {
        for (const nth of [2, 3]) {
          await folder.remove();
          folder = sqliteFolder();
          let left = nth;
          const store = await folder.open({
            fault: {
              [when]: (point: StoreFaultPoint) => {
                if (point !== step) return;
                left -= 1;
                if (left === 0) throw Object.assign(new Error('gone'), { code: 'SQLITE_BUSY' });
              },
            },
          });
          const talking = await talk(store);
          const found = await commitsOf(store);
          for (const types of found) {
            const has = (type: string): boolean => types.includes(type);
            expect(has('turn.recorded')).toBe(has('effect.begun'));
            expect(has('turn.ended')).toBe(has('effect.settled'));
          }
          const all = found.flat();
          for (const type of ['turn.recorded', 'effect.begun', 'turn.ended', 'effect.settled'])
            expect(all.filter((each) => each === type).length).toBeLessThanOrEqual(1);
          expect((await talking.verify()).ok).toBe(true);
          for (const { engine } of open.splice(0)) await engine.stop();
        }
      }
    },
  );

  it('are not written, and nothing is sent, where the run does not let its effect begin any more', async () => {
    const store = await folder.open();
    let isSent = false;
    const speech: Speech = async (turn) => {
      const { seq = 0 } = (await store.head(RUN)) ?? {};
      const data = { id: 'later', at: 1 };
      // A newer process goes on with the run between composing and sending.
      await store.append({
        ...{ run: RUN, command: 'newer', target: 'newer', expectedSeq: seq },
        events: [{ type: 'agent.of-a-newer-version', data }],
      });
      await turn.pass('http', 'bytes');
      isSent = true;
      return { reason: 'done' };
    };
    const talking = await talk(store, { speeches: [speech] });
    expect(isSent).toBe(false);
    const types = await talking.types();
    expect(types.filter((type) => /^turn\.|^effect\.(begun|settled)/.test(type))).toEqual([]);
  });
});
