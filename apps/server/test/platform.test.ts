import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_ROUTES } from '@cuebook/api';
import {
  agentObjects,
  type CardDraft,
  createKey,
  KEYS,
  type KeySigner,
  openSealedKey,
  prepareCard,
  readDraft,
  readFeedback,
  reviewMetadata,
  syncTrust,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import {
  foundPlatform,
  issueToken,
  type OpenPlatform,
  openPlatform,
  type PlatformRole,
  publishOffline,
  setExperiment,
} from '@cuebook/platform';
import type { Result } from '@cuebook/prompt';
import { connectPlatform } from '@cuebook/resident';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../src/http/app.js';
import { openApi } from '../src/http/openapi.js';
import { ownHosts } from '../src/http/security.js';
import { mountPlatform } from '../src/platform/mount.js';
import { type ListeningServer, listen } from '../src/start/listen.js';
import { type ApiDocument, checkedFetch } from './checked-fetch.js';

const must = <Value>(result: Result<Value, unknown>): Value => {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
};

let folder: string;
let platform: OpenPlatform;
let listening: ListeningServer;
let url: string;
let reviewer: KeySigner;
const tokens = new Map<string, string>();
const checked = checkedFetch(openApi([PLATFORM_ROUTES]) as ApiDocument);

beforeAll(async () => {
  vi.stubGlobal('fetch', checked.fetch);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-platform-')));
  const place = async (name: string) => ({
    files: must(await openFolder(join(folder, name), { create: true })),
    path: 'key.json',
    passphrase: `a passphrase for ${name}`,
  });
  listening = must(await listen('127.0.0.1', [0]));
  url = `http://127.0.0.1:${listening.port}`;
  const reviewerPlace = await place('reviewer');
  must(
    await foundPlatform(join(folder, 'platform'), {
      name: 'town',
      url,
      store: { kind: 'folder' },
      roots: [await place('root')],
      threshold: 1,
      library: await place('library'),
      reviewer: reviewerPlace,
      now: Date.now(),
    }),
  );
  reviewer = must(await openSealedKey(reviewerPlace));
  platform = must(await openPlatform(join(folder, 'platform'), { env: {} }));
  must(await publishOffline(platform.objects, platform.trust));
  for (const role of ['owner', 'reviewer', 'publisher', 'auditor'] as const)
    tokens.set(role, must(await issueToken(platform, { who: `the ${role}`, role })).text);
  tokens.set('other owner', must(await issueToken(platform, { who: 'somebody', role: 'owner' })).text);
  const mount = mountPlatform(platform);
  const app = createApp({
    gate: { auth: mount.auth, isOwnHost: ownHosts({ host: '127.0.0.1', port: listening.port }) },
    groups: mount.groups,
    mounts: mount.mounts,
    onProblem: (error) => {
      throw error;
    },
  });
  listening.serve((request) => app.fetch(request));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await listening?.close();
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(as: string | undefined, method: string, path: string, body?: unknown) {
  const token = as === undefined ? undefined : (tokens.get(as) ?? as);
  const response = await fetch(`${url}/api/v1/platform${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const keys = new Map<string, KeySigner>();
const draftOf = (agent: string, more: object = {}): CardDraft => {
  const key = keys.get(agent) ?? createKey().signer;
  keys.set(agent, key);
  return must(
    readDraft({
      agent_id: agent,
      name: agent,
      personality: { extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5 },
      agent_public_key: `ed25519:${Buffer.from(key.publicKey.hex, 'hex').toString('base64')}`,
      ...more,
    }),
  );
};
const reviewOf = (draft: CardDraft, version: number): string =>
  reviewMetadata(must(prepareCard(draft, version)), {
    version,
    expires: Date.now() + 1e10,
    signers: [reviewer],
  }).bytes.toString('utf8');

/** Saved, reviewed and published over HTTP. */
async function publishOver(agent: string, more: object = {}): Promise<void> {
  const draft = draftOf(agent, more);
  const saved = await ask('owner', 'PUT', `/cards/${agent}`, draft);
  expect(saved).toMatchObject({ status: 200, body: { status: 'pending' } });
  const { cardVersion } = saved.body;
  const review = reviewOf(draft, cardVersion);
  expect((await ask('reviewer', 'POST', `/cards/${agent}/approve`, { cardVersion, review })).status).toBe(
    200,
  );
  expect((await ask('publisher', 'POST', '/publish', { agents: [agent] })).status).toBe(200);
}

const connect = (agent: string, signer = keys.get(agent) as KeySigner) =>
  connectPlatform({ url, platform: 'town', agent, signer });

describe('a platform over HTTP', () => {
  test('from a draft to an agent that takes its bundle with its own credentials, and nobody else’s', async () => {
    await publishOver('ada', { discovery: { public: true } });
    await publishOver('bo');
    const bundle = await ask('auditor', 'GET', '/bundles/ada');
    expect(bundle.body).toMatchObject({
      published: { version: 1 },
      verification: { ok: true, bundleVersion: 1 },
    });
    const ada = connect('ada');
    expect(must(await ada.admit())).toBeUndefined();
    expect((await ask('other owner', 'POST', '/admissions/ada', {})).status).toBe(403);
    for (const agent of ['ada', 'bo'])
      expect((await ask('owner', 'POST', `/admissions/${agent}`, {})).status).toBe(200);
    const session = must(await ada.admit());
    expect(session?.floor).toBe(1);
    must(await connect('bo').admit());
    const objects = agentObjects(ada, Date.now);
    const root = platform.trust.root.bytes;
    const synced = must(
      await syncTrust({ agent: 'ada', root, log: 'town', objects, now: Date.now(), floor: 1 }),
    );
    expect(synced.accepted.card.name).toBe('ada');
    const read = async (key: string) => {
      const got = await objects.get(key);
      return got.ok ? 'ok' : got.error.reason;
    };
    expect(await read(KEYS.bundle('bo'))).toBe('denied');
    expect(await read(KEYS.card('bo'))).toBe('denied');
    const bo = agentObjects(connect('bo'), Date.now);
    expect((await bo.get(KEYS.card('ada'))).ok).toBe(true);
    expect((await objects.put(KEYS.heartbeat('ada'), Buffer.from('1'))).ok).toBe(true);
    expect(await objects.put(KEYS.heartbeat('bo'), Buffer.from('1'))).toMatchObject({
      error: { reason: 'denied' },
    });
    const trail = (await ask('auditor', 'GET', '/audit?agent=ada')).body.entries;
    expect(trail.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining([
        'card.saved',
        'card.approved',
        'publication.done',
        'admission.completed',
        'credential.issued',
      ]),
    );
  });

  test('a place: made, seen by credentials, shown from what is certified', async () => {
    const topic = { kind: 'topic', id: 'hall', title: 'The hall', mode: 'freeform' };
    expect((await ask('publisher', 'PUT', '/places/topic/hall', topic)).status).toBe(200);
    expect((await ask('publisher', 'PUT', '/places/topic/other', topic)).body.error.field).toBe('id');
    const objects = agentObjects(connect('ada'), Date.now);
    const key = KEYS.message('hall', 'ada', 'one');
    const post = { kind: 'topic_message', schema_version: 1, agent_id: 'ada', text: 'Hello.' };
    const put = (text: object) => objects.put(key, Buffer.from(JSON.stringify(text)), { ifAbsent: true });
    expect((await put(post)).ok).toBe(true);
    expect(await put(post)).toMatchObject({ error: { reason: 'exists' } });
    const forged = { ...post, agent_id: 'bo' };
    must(await platform.objects.put(KEYS.message('hall', 'ada', 'two'), Buffer.from(JSON.stringify(forged))));
    const page = await ask('auditor', 'GET', '/places/topic/hall');
    expect(page.body).toMatchObject({
      place: { title: 'The hall' },
      posts: [{ author: 'ada', card: { name: 'ada' }, post: { text: 'Hello.' } }],
    });
    const stored = must(await platform.objects.get(KEYS.topic('hall')));
    must(
      await platform.objects.put(
        KEYS.topic('hall'),
        Buffer.from(Buffer.from(stored).toString().replace('The hall', 'The trap')),
      ),
    );
    expect((await ask('auditor', 'GET', '/places/topic/hall')).status).toBe(404);
    expect(
      (await ask('publisher', 'PUT', '/places/topic/hall', { ...topic, visibility: 'invited' })).status,
    ).toBe(200);
    const after = agentObjects(connect('ada'), Date.now);
    expect(await after.get(KEYS.topic('hall'))).toMatchObject({ error: { reason: 'denied' } });
  });

  test('a new agent is answered with the circles that suit it, best first, with their scores', async () => {
    const circle = (id: string, interests: readonly string[], more: object = {}) =>
      ask('publisher', 'PUT', `/places/circle/${id}`, { kind: 'circle', id, title: id, interests, ...more });
    await circle('birders', ['Birds']);
    await circle('walkers', ['birds', 'maps', 'boots']);
    await circle('closed', ['birds', 'maps'], { visibility: 'invited' });
    const draft = draftOf('nia', { interests: ['maps', 'birds'] });
    const saved = await ask('owner', 'PUT', '/cards/nia', draft);
    expect(saved.body.groups).toMatchObject([
      { group_id: 'walkers', score: 66.67, shared: ['birds', 'maps'] },
      { group_id: 'birders', score: 50, shared: ['birds'] },
    ]);
    expect((await ask('owner', 'GET', '/cards/nia/groups')).body.groups).toEqual(saved.body.groups);
    expect((await ask('other owner', 'GET', '/cards/nia/groups')).status).toBe(404);
    expect((await ask('reviewer', 'GET', '/cards/nobody/groups')).status).toBe(404);
  });

  test('a like and a comment: certified for the agent, once for each person, on record', async () => {
    const about = KEYS.message('hall', 'ada', 'one');
    const give = (as: string, body: object) => ask(as, 'POST', '/feedback/ada', body);
    const like = await give('owner', { about });
    expect(like).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^fb_/) } });
    expect((await give('owner', { about })).body).toEqual(like.body);
    const comment = await give('publisher', { about, text: 'More of this.' });
    const stored = must(await platform.objects.get(KEYS.feedback('ada', comment.body.id)));
    const keys = new Map([[platform.online.keyId, platform.online.publicKey.object]]);
    const read = must(readFeedback(stored, 'ada', comment.body.id, { keys, now: Date.now() }));
    expect(read).toMatchObject({ kind: 'comment', about, text: 'More of this.' });
    const trail = (await ask('auditor', 'GET', '/audit?agent=ada')).body.entries;
    const given = trail.filter(({ type }: { type: string }) => type === 'feedback.given');
    expect(given.map(({ data }: { data: { by: string } }) => data.by)).toEqual([
      'the owner',
      'the publisher',
    ]);
    // What is not the post of this agent, has no words, or too many.
    expect((await give('owner', { about: KEYS.message('hall', 'ada', 'two') })).status).toBe(404);
    expect((await give('owner', { about, text: ' ' })).body.error.code).toBe('E_FEEDBACK');
    expect((await give('owner', { about, text: 'x'.repeat(2001) })).status).toBe(400);
  });

  test('a rollout: decided on what was counted, once for each id, on record', async () => {
    const greeting = platform.active.find(({ id }) => id === 'greeting')?.version ?? 0;
    const warm = { id: 'warm', scenario: 'greeting', control: greeting, candidate: greeting, share: 0.1 };
    must(await setExperiment(platform, warm, 'pia'));
    const step = (body: object, name = 'warm') =>
      ask('publisher', 'POST', `/experiments/${name}/rollout`, body);
    expect((await step({}, 'cold')).status).toBe(404);
    const plan = { stages: [0.2, 1], outcomes: 20, metric: 'liked', guards: [], margin: 0.5 };
    expect((await step({ plan: { ...plan, stages: [1, 0.2] } })).status).toBe(400);
    expect((await step({ plan, dryRun: true })).body).toMatchObject({ type: 'hold', share: 0.1, plan });
    const first = await step({ plan, id: 'night-1' });
    expect(first).toMatchObject({
      status: 200,
      body: { type: 'hold', metric: 'liked', comparisons: [{ arms: { candidate: { count: 0 } } }] },
    });
    expect((await step({ id: 'night-1' })).body).toEqual(first.body);
    expect((await step({ plan: { ...plan, margin: 0.1 } })).status).toBe(409);
    const entries = (await ask('auditor', 'GET', '/audit?limit=1000')).body.entries;
    const decided = entries.filter(({ type }: { type: string }) => type === 'rollout.decided');
    expect(decided).toMatchObject([{ data: { by: 'the publisher', ...first.body } }]);
  });

  test.each<[PlatformRole | 'other owner' | undefined, string, string, unknown, number]>([
    [undefined, 'GET', '', undefined, 401],
    ['auditor', 'GET', '', undefined, 200],
    ['owner', 'GET', '/audit', undefined, 403],
    ['auditor', 'POST', '/publish', {}, 403],
    ['owner', 'POST', '/cards/ada/approve', { cardVersion: 1, review: 'x' }, 403],
    ['reviewer', 'POST', '/publish', {}, 403],
    ['publisher', 'POST', '/cards/ada/reject', { cardVersion: 1, reason: 'x' }, 403],
    ['auditor', 'POST', '/credentials', { purpose: { kind: 'registry' } }, 403],
    ['auditor', 'POST', '/feedback/ada', { about: 'x' }, 403],
    ['owner', 'POST', '/feedback/nobody', { about: 'x' }, 404],
    ['owner', 'POST', '/experiments/warm/rollout', {}, 403],
    ['auditor', 'POST', '/experiments/warm/rollout', { dryRun: true }, 403],
    ['other owner', 'GET', '/cards/ada', undefined, 404],
    ['owner', 'GET', '/cards/ada', undefined, 200],
    ['reviewer', 'GET', '/cards/ada', undefined, 200],
    ['reviewer', 'GET', '/cards/nobody', undefined, 404],
    ['owner', 'PUT', '/cards/ada', { agent_id: 'ada' }, 400],
    ['owner', 'PUT', '/cards/a*', {}, 400],
    [undefined, 'GET', '/admissions/nobody', undefined, 404],
    [undefined, 'POST', '/admissions', { challenge: {}, signature: '' }, 400],
    [undefined, 'GET', '/objects/agents/all/ada.json', undefined, 401],
  ])('%s asks %s %s', async (as, method, path, body, status) => {
    expect((await ask(as, method, path, body)).status).toBe(status);
  });

  test('a preview shows what a draft would say, and changes nothing', async () => {
    const draft = draftOf('cy', { bio: 'Reads maps.' });
    const shown = await ask('owner', 'POST', '/preview', draft);
    expect(shown.body.card.prompt_view).toContain('about: Reads maps.');
    expect((await ask('reviewer', 'GET', '/cards/cy')).status).toBe(404);
  });

  test('a session of a revoked agent, a wrong key, and a token of nobody are refused', async () => {
    await publishOver('dot');
    await ask('owner', 'POST', '/admissions/dot', {});
    const wrong = await connect('dot', createKey().signer).admit();
    expect(wrong).toMatchObject({ ok: false, error: { code: 'E_CONNECTION', detail: 'E_ADMISSION' } });
    expect((await connect('dot').admit()).ok).toBe(true);
    expect((await connect('dot').session()).ok).toBe(true);
    expect((await ask('publisher', 'DELETE', '/admissions/dot')).status).toBe(200);
    expect(await connect('dot').session()).toMatchObject({ ok: false, error: { detail: 'E_ADMISSION' } });
    expect((await ask(`cba.dot.${'A'.repeat(43)}`, 'GET', '/cards/dot')).status).toBe(401);
  });

  test('a card is looked at in the queue and rejected; what was written is read and done with', async () => {
    const draft = draftOf('eve', { bio: 'Unsure.' });
    const { cardVersion } = (await ask('owner', 'PUT', '/cards/eve', draft)).body;
    const queue = await ask('reviewer', 'GET', '/cards?status=pending');
    expect(queue.body.cards.map(({ agent }: { agent: string }) => agent)).toContain('eve');
    const no = await ask('reviewer', 'POST', '/cards/eve/reject', { cardVersion, reason: 'Too short.' });
    expect(no.body).toMatchObject({ status: 'rejected', reason: 'Too short.' });
    const { written } = (await ask('publisher', 'GET', '/feed/night?prefix=topics/')).body;
    expect(written).toMatchObject([{ agent: 'ada', key: KEYS.message('hall', 'ada', 'one') }]);
    expect((await ask('publisher', 'POST', '/feed/night', { position: written[0].position })).status).toBe(
      200,
    );
    expect((await ask('publisher', 'GET', '/feed/night?prefix=topics/')).body).toEqual({ written: [] });
    expect((await ask(undefined, 'GET', '/admissions/dot')).status).toBe(404);
  });

  test('a card whose words cannot be seen, or a place in no time zone, is refused with its field', async () => {
    const hidden = { ...draftOf('fay'), bio: 'a\u200bb' };
    const zone = {
      kind: 'topic',
      id: 'x',
      title: 'X',
      mode: 'freeform',
      rules: { day_boundary_timezone: 'No' },
    };
    const refused = [
      await ask('owner', 'PUT', '/cards/fay', hidden),
      await ask('owner', 'POST', '/preview', hidden),
      await ask('publisher', 'PUT', '/places/topic/x', zone),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.field])).toEqual([
      [400, 'bio'],
      [400, 'bio'],
      [400, 'rules.day_boundary_timezone'],
    ]);
    // 200 characters of two units each: what counts is code points.
    expect(
      (await ask('owner', 'POST', '/preview', draftOf('fay', { greeting: '🙂'.repeat(200) }))).status,
    ).toBe(200);
  });

  test('the fleet, the library and the health of keys, as the store has them now', async () => {
    const fleet = async () => (await ask('auditor', 'GET', '/fleet')).body.members;
    const ada = async () => (await fleet()).find(({ agent }: { agent: string }) => agent === 'ada');
    expect(await ada()).toMatchObject({
      ...{ admission: 'admitted', published: { cardVersion: 1 }, verification: { ok: true }, seenAt: null },
    });
    const beat = { agent_id: 'ada', observed_at: '2026-01-02T03:04:05.000Z' };
    must(await platform.objects.put(KEYS.heartbeat('ada'), Buffer.from(JSON.stringify(beat))));
    expect((await ada()).seenAt).toBe(Date.parse(beat.observed_at));
    must(
      await platform.objects.put(
        KEYS.heartbeat('ada'),
        Buffer.from(JSON.stringify({ ...beat, agent_id: 'bo' })),
      ),
    );
    expect((await ada()).seenAt).toBeNull();
    const { versions } = (await ask('owner', 'GET', '/library')).body;
    expect(versions.find(({ id }: { id: string }) => id === 'intro')).toMatchObject({
      ...{ active: true, agents: expect.arrayContaining(['ada']) },
    });
    expect((await ask('other owner', 'GET', '/library')).body.versions[0].agents).toEqual([]);
    const health = (await ask('auditor', 'GET', '/health')).body;
    expect(health.roles).toContainEqual({ role: 'root', keys: [expect.any(String)], threshold: 1 });
    expect(health.expiries).toContainEqual({
      ...{ what: 'timestamp', agent: 'ada', expires: expect.any(Number), state: 'good' },
    });
    const bundle = must(await platform.objects.get(KEYS.bundle('ada')));
    must(
      await platform.objects.put(
        KEYS.bundle('ada'),
        Buffer.from(Buffer.from(bundle).toString().replace('ada', 'eve')),
      ),
    );
    expect((await ada()).verification).toMatchObject({ ok: false });
    const shown = JSON.stringify((await ask('auditor', 'GET', '/bundles/ada')).body);
    expect(shown).not.toMatch(/eve|basePrompt/);
    must(await platform.objects.put(KEYS.bundle('ada'), bundle));
    expect((await ask('owner', 'GET', '/fleet')).status).toBe(403);
  });

  test('every route has answered, and as the OpenAPI document says', () => {
    // A folder needs no address for a write: `entry/s3.test.ts` of the platform asks for one.
    const routes = Object.keys(PLATFORM_ROUTES).filter((name) => name !== 'issueUpload');
    expect(routes.filter((name) => !checked.answered.has(name))).toEqual([]);
    expect(checked.mismatches).toEqual([]);
  });
});
