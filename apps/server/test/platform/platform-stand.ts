import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_ROUTES } from '@cuebook/api';
import {
  type CardDraft,
  createKey,
  type KeySigner,
  openSealedKey,
  prepareCard,
  readDraft,
  reviewMetadata,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { foundPlatform, issueToken, openPlatform, publishOffline } from '@cuebook/platform';
import { createRedactor, type Result } from '@cuebook/prompt';
import { connectPlatform } from '@cuebook/resident';
import { expect, vi } from 'vitest';
import { createApp } from '../../src/http/app.js';
import { openApi } from '../../src/http/openapi.js';
import { ownHosts } from '../../src/http/security.js';
import type { AskScenario } from '../../src/platform/clerk.js';
import { mountPlatform } from '../../src/platform/mount.js';
import { listen } from '../../src/start/listen.js';
import { type ApiDocument, checkedFetch } from '../checked-fetch.js';

/** The value of an answer; a no fails the test. */
export const must = <Value>(result: Result<Value, unknown>): Value => {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
};

/** Answers by scenario, in place of a model: `clerk.test.ts` asks one. */
const askScript =
  (answers: ReadonlyMap<string, string>): AskScenario =>
  async ({ scenario }) => {
    const answer = answers.get(scenario.id);
    return answer === undefined
      ? { ok: false, error: { code: 'E_PLATFORM_ASK', reason: 'no-provider' } }
      : { ok: true, value: answer };
  };

/** A platform that is served, with a person for each role. The tests of all its parts share it. */
export type PlatformStand = Awaited<ReturnType<typeof platformStand>>;

export async function platformStand() {
  const tokens = new Map<string, string>();
  const checked = checkedFetch(openApi([PLATFORM_ROUTES]) as ApiDocument);
  vi.stubGlobal('fetch', checked.fetch);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-platform-')));
  const place = async (name: string) => ({
    files: must(await openFolder(join(folder, name), { create: true })),
    path: 'key.json',
    passphrase: `a passphrase for ${name}`,
  });
  const listening = must(await listen('127.0.0.1', [0]));
  const url = `http://127.0.0.1:${listening.port}`;
  const reviewerPlace = await place('reviewer');
  const libraryPlace = await place('library');
  must(
    await foundPlatform(join(folder, 'platform'), {
      name: 'town',
      url,
      store: { kind: 'folder' },
      roots: [await place('root')],
      threshold: 1,
      library: libraryPlace,
      reviewer: reviewerPlace,
      now: Date.now(),
    }),
  );
  const reviewer = must(await openSealedKey(reviewerPlace));
  const platform = must(await openPlatform(join(folder, 'platform'), { env: {} }));
  must(await publishOffline(platform.objects, platform.trust));
  for (const role of ['owner', 'reviewer', 'publisher', 'auditor'] as const)
    tokens.set(role, must(await issueToken(platform, { who: `the ${role}`, role })).text);
  tokens.set('other owner', must(await issueToken(platform, { who: 'somebody', role: 'owner' })).text);
  const answers = new Map<string, string>();
  const mount = mountPlatform(platform);
  const app = createApp({
    gate: { auth: mount.auth, isOwnHost: ownHosts({ host: '127.0.0.1', port: listening.port }) },
    groups: mount.groups(askScript(answers)),
    mounts: mount.mounts,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
    onProblem: (error) => {
      throw error;
    },
  });
  listening.serve((request) => app.fetch(request));

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

  return {
    ...{ platform, checked, ask, draftOf, publishOver, connect, answers },
    libraryKey: async () => must(await openSealedKey(libraryPlace)),
    async close() {
      vi.unstubAllGlobals();
      await listening.close();
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
