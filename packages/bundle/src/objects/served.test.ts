import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { describeObjects, SUITE_SCOPE } from '../../test/objects-conformance.js';
import { memoryStore, must, reasonOf, scratch } from '../../test/scratch.js';
import { SECRET, serve } from '../../test/served.js';
import { tokenIssuer } from '../access/credential.js';
import type { CredentialScope } from '../access/scope.js';
import { scopeOf } from '../access/scope-of.js';
import { signToken } from '../access/token.js';
import { KEYS } from '../ids.js';
import { folderObjects } from './folder.js';
import { httpObjects } from './http.js';

const NOW = Date.UTC(2026, 10, 15, 12);
const tokenFor = (
  scope: CredentialScope,
  { platform = 'test', expiresAt = NOW + 60_000, secret = SECRET as Uint8Array } = {},
) => signToken({ platform, scope, expiresAt }, secret);

describeObjects(
  'a folder that is served',
  async () => {
    const { url } = await serve(folderObjects((await scratch()).files), NOW);
    return httpObjects({ url, token: tokenFor(SUITE_SCOPE) });
  },
  { removes: false },
);

const registry = (agent: string) =>
  must(scopeOf({ agent, cardVersion: 1, circles: new Set() }, { kind: 'registry' }, undefined, NOW));

async function community() {
  const store = memoryStore();
  const keys = ['ada', 'bo'].flatMap((agent) => [
    KEYS.card(agent),
    KEYS.bundle(agent),
    KEYS.timestamp(agent),
  ]);
  for (const key of keys) must(await store.put(key, Buffer.from(key)));
  return { store, served: await serve(store, NOW) };
}

describe('an agent with a token', () => {
  test('reads what is its own and what is public, and writes its heartbeat', async () => {
    const { store, served } = await community();
    const ada = httpObjects({ url: served.url, token: tokenFor(registry('ada')) });
    const get = async (key: string) => reasonOf(await ada.get(key));
    expect(await get(KEYS.card('ada'))).toBe('ok');
    expect(await get(KEYS.bundle('ada'))).toBe('ok');
    expect(await get(KEYS.timestamp('ada'))).toBe('ok');
    for (const key of [KEYS.bundle('bo'), KEYS.timestamp('bo'), KEYS.card('bo'), KEYS.bundle('ada2')])
      expect(await get(key)).toBe('E_OBJECT denied');
    served.open.add(KEYS.card('bo'));
    expect(await get(KEYS.card('bo'))).toBe('ok');
    served.open.delete(KEYS.card('bo'));
    expect(await get(KEYS.card('bo'))).toBe('E_OBJECT denied');
    expect(reasonOf(await ada.put(KEYS.heartbeat('ada'), Buffer.from('1')))).toBe('ok');
    for (const key of [KEYS.heartbeat('bo'), KEYS.card('ada'), KEYS.bundle('ada'), KEYS.topic('t')])
      expect(reasonOf(await ada.put(key, Buffer.from('x')))).toBe('E_OBJECT denied');
    expect(must(await ada.list('agents/all/')).keys).toEqual([KEYS.card('ada'), KEYS.card('bo')]);
    for (const prefix of ['', 'agents/', 'agents/all', 'agents/prompts/', 'trust/'])
      expect(reasonOf(await ada.list(prefix))).toBe('E_OBJECT denied');
    expect(store.all.get(KEYS.bundle('ada'))?.toString()).toBe(KEYS.bundle('ada'));
  });

  test('is told nothing without one, with an old one, or with one of another platform', async () => {
    const { served } = await community();
    const read = async (token: string) =>
      reasonOf(await httpObjects({ url: served.url, token }).get(KEYS.card('ada')));
    const scope = registry('ada');
    expect(await read(tokenFor(scope))).toBe('ok');
    expect(await read('')).toBe('E_OBJECT denied');
    expect(await read(tokenFor(scope, { expiresAt: NOW }))).toBe('E_OBJECT denied');
    expect(await read(tokenFor(scope, { platform: 'other' }))).toBe('E_OBJECT denied');
    expect(await read(tokenFor(scope, { secret: Buffer.alloc(32, 8) }))).toBe('E_OBJECT denied');
    const issuer = tokenIssuer({ url: served.url, platform: 'test', secret: SECRET });
    const issued = must(await issuer.issue(scope, { now: NOW, lifetimeMs: 60_000 }));
    expect(issued.kind === 'token' && (await read(issued.token))).toBe('ok');
    served.clock.now = NOW + 60_000;
    expect(issued.kind === 'token' && (await read(issued.token))).toBe('E_OBJECT denied');
    expect(reasonOf(await issuer.issue(scope, { now: NOW, lifetimeMs: 3_600_001 }))).toBe(
      'E_ACCESS lifetime',
    );
  });

  test('cannot change any character of it', async () => {
    const { served } = await community();
    const token = tokenFor(registry('ada'));
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.'), async (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        fc.pre(changed !== token);
        const answer = await httpObjects({ url: served.url, token: changed }).get(KEYS.card('ada'));
        expect(reasonOf(answer)).toBe('E_OBJECT denied');
      }),
      runs(60, 1000),
    );
  });

  test('writes once where it may write once, and no more than there is room for', async () => {
    const { served } = await community();
    const key = 'topics/t/messages/ada/one.json';
    const token = tokenFor({ agent: 'ada', rules: [{ may: 'create', at: 'topics/t/messages/ada/' }] });
    const ada = httpObjects({ url: served.url, token });
    expect(reasonOf(await ada.put(key, Buffer.from('x')))).toBe('E_OBJECT denied');
    expect(reasonOf(await ada.put(key, Buffer.from('x'), { ifAbsent: true }))).toBe('ok');
    expect(reasonOf(await ada.put(key, Buffer.from('y'), { ifAbsent: true }))).toBe('E_OBJECT exists');
    expect(reasonOf(await ada.put(key, Buffer.from('y')))).toBe('E_OBJECT denied');
    const large = await ada.put('topics/t/messages/ada/two.json', Buffer.alloc(1024 * 1024 + 1), {
      ifAbsent: true,
    });
    expect(reasonOf(large)).toBe('E_OBJECT too-large');
    const untold = await fetch(`${served.url}/topics/t/messages/ada/three.json`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'if-none-match': '*' },
      body: new ReadableStream({
        start(controller) {
          for (let n = 0; n < 20; n += 1) controller.enqueue(new Uint8Array(64 * 1024));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect(untold.status).toBe(413);
  });
});
