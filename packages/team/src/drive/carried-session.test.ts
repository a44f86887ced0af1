import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import type { SessionFile, SessionFiles } from '@cuebook/provider';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { keepSession, putSession } from './carried-session.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'carried-session-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
async function place() {
  count += 1;
  const opened = await openFolder(join(root, String(count)), { create: true });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

/** An agent with one file. */
function agentWith(text: string): SessionFiles & { readonly put_: readonly SessionFile[] } {
  const put: SessionFile[] = [];
  return {
    take: async () => [{ path: 'a', text }],
    put: async (_, files) => {
      put.splice(0, put.length, ...files);
      return true;
    },
    put_: put,
  };
}

const NAME = { run: 'run_a' as RunId, node: 'n1', provider: 'cli', session: 's1', turn: 2, cwd: '/old/n1' };

it('a holder that lost the run writes over nobody', async () => {
  const shared = await place();
  await keepSession(shared, agentWith('new said'), { ...NAME, token: 2, said: ['said'] });
  await keepSession(shared, agentWith('late said'), { ...NAME, token: 1, said: ['said'] });
  const agent = agentWith('');
  expect(await putSession(shared, agent, NAME)).toBe(true);
  expect(agent.put_[0]?.text).toBe('new said');
});

it.each([
  ['another session', { session: 's2' }],
  ['an earlier turn', { turn: 3 }],
  ['another provider', { provider: 'claude' }],
  ['another node', { node: 'n2' }],
])('is not gone on with: what was kept of %s', async (_, wanted) => {
  const shared = await place();
  await keepSession(shared, agentWith('said'), { ...NAME, token: 1, said: ['said'] });
  expect(await putSession(shared, agentWith(''), { ...NAME, ...wanted })).toBe(false);
});

it('is not kept before it holds the last words, and is when they come', async () => {
  const shared = await place();
  let looks = 0;
  const slow: SessionFiles = {
    take: async () => {
      looks += 1;
      return [{ path: 'a', text: looks < 3 ? 'first' : 'first and "last"' }].map(({ path, text }) => ({
        path,
        text: JSON.stringify(text),
      }));
    },
    put: async () => true,
  };
  await keepSession(shared, slow, { ...NAME, token: 1, said: ['first', 'and "last"', ' '] });
  const agent = agentWith('');
  expect(await putSession(shared, agent, NAME)).toBe(true);
  expect(agent.put_[0]?.text).toContain('last');
});

it('names the folder of the machine that it comes to, and no other name is changed', async () => {
  const shared = await place();
  const words = fc.constantFrom(
    '/old/n1',
    '/old/n1/a.txt',
    '/old/n12',
    '/old/n1.x',
    '/very/old/n1',
    'x',
    '"',
    '\n',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words), async (parts) => {
      const told = [...parts, 'said'];
      await keepSession(shared, agentWith(JSON.stringify(told)), { ...NAME, token: 1, said: ['said'] });
      const agent = agentWith('');
      expect(await putSession(shared, agent, { ...NAME, cwd: '/new "place"/n' })).toBe(true);
      const now = told.map((each) =>
        each === '/old/n1' || each.startsWith('/old/n1/') ? each.replace('/old/n1', '/new "place"/n') : each,
      );
      expect(JSON.parse(agent.put_[0]?.text ?? '')).toEqual(now);
    }),
    runs(30, 300),
  );
});
