import { describe, expect, it } from 'vitest';
import type { Fields } from '../../agent/fields.js';
import { createPeer, type PeerListener } from './peer.js';

/** A peer over lines that the test writes by hand. */
function open() {
  const waiting: string[] = [];
  let wake = () => {};
  let isEnded = false;
  async function* lines(): AsyncGenerator<string> {
    for (;;) {
      for (const line of waiting.splice(0)) yield line;
      if (isEnded) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const heard: unknown[] = [];
  const listener: PeerListener = {
    received: () => {},
    notice: (method) => void heard.push(['notice', method]),
    request: (id, method) => void heard.push(['request', id, method]),
    noise: (line) => void heard.push(['noise', line]),
    closed: () => void heard.push(['closed']),
  };
  const said: Fields[] = [];
  const peer = createPeer(lines(), () => listener);
  return {
    ...{ peer, heard, said },
    say: async (line: string) => said.push(JSON.parse(line) as Fields) > 0,
    tell(...more: readonly unknown[]) {
      waiting.push(...more.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))));
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
  };
}

describe('the other side of the app-server', () => {
  it('gets each answer to its question, in any order', async () => {
    const { peer, say, said, tell } = open();
    const answers = ['a', 'b'].map((method) => peer.call(say, method, {}));
    await Promise.resolve();
    tell(
      { id: 2, result: { of: 'b' } },
      { id: 7, result: {} },
      { id: 1, error: { code: -32600, message: 'no' } },
    );
    expect(await Promise.all(answers)).toEqual([
      { ok: false, error: { kind: 'refused', code: -32600, message: 'no' } },
      { ok: true, value: { of: 'b' } },
    ]);
    expect(said).toEqual([
      { id: 1, method: 'a', params: {} },
      { id: 2, method: 'b', params: {} },
    ]);
  });

  it('hears notices, questions and noise, and that it is over', async () => {
    const { peer, say, heard, tell, end } = open();
    const open1 = peer.call(say, 'a', {});
    tell({ method: 'n' }, { method: 'q', id: 0 }, 'noise', '[1]', '{"half":');
    end();
    expect(await open1).toEqual({ ok: false, error: { kind: 'closed' } });
    expect(heard).toEqual([
      ['notice', 'n'],
      ['request', 0, 'q'],
      ['noise', 'noise'],
      ['noise', '[1]'],
      ['noise', '{"half":'],
      ['closed'],
    ]);
    expect(await peer.call(say, 'late', {})).toEqual({ ok: false, error: { kind: 'closed' } });
  });

  it('does not wait for an answer to what was not taken', async () => {
    const { peer } = open();
    expect(await peer.call(async () => false, 'a', {})).toEqual({ ok: false, error: { kind: 'closed' } });
    await expect(peer.call(() => Promise.reject(new Error('shut')), 'a', {})).rejects.toThrow('shut');
  });
});
