import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecorder, openStore, type RunId, rebuildTurn, type Store, signerOf } from '@cuebook/journal';
import { composeRequest, createRedactor } from '@cuebook/prompt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_RECEIPT, turnView } from '../view/turn-view.js';
import { createRunMask } from './run-mask.js';

const RUN = 'run_1' as RunId;
const WORDS = 'the blue heron nests at dawn';
const folder = mkdtempSync(join(tmpdir(), 'mask-'));
let store: Store;
let early: Awaited<ReturnType<typeof createRunMask>>;

beforeAll(async () => {
  const opened = await openStore({ file: join(folder, 'journal.db') });
  if (!opened.ok) throw new Error(opened.error.code);
  store = opened.value;
  await store.append({
    run: RUN,
    command: 'c',
    target: 't',
    events: [{ type: 'run.started', data: {} }],
    expectedSeq: 0,
  });
  early = await createRunMask(store, RUN);
  const request = composeRequest({
    blocks: [
      {
        name: 'system',
        role: 'system',
        pieces: [
          {
            text: 'You know this: ',
            origin: { kind: 'file', ref: 'a.md' },
            trust: 'operator',
            secrecy: 'public',
            volatility: 'deploy',
          },
          {
            text: WORDS,
            origin: { kind: 'file', ref: 'b.md' },
            trust: 'operator',
            secrecy: 'confidential',
            volatility: 'deploy',
          },
        ],
      },
    ],
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  });
  if (!request.ok) throw new Error(JSON.stringify(request.error));
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = signerOf(pem);
  if (!signer) throw new Error('no signer');
  const recorded = await createRecorder({ store, signer }).record({
    run: RUN,
    turn: 'turn_1',
    lane: 'node/a',
    request: request.value,
    provider: 'cli',
  });
  if (!recorded.ok) throw new Error(JSON.stringify(recorded.error));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const SAID = { text: `I was told that ${WORDS}.`, calls: [WORDS] };

it('hides confidential words of the prompts wherever they are repeated, and shows no live words then', async () => {
  const mask = await createRunMask(store, RUN);
  expect(JSON.stringify(mask.value(SAID))).not.toContain('heron');
  expect(JSON.stringify(mask.value(SAID))).toContain('I was told that ');
  expect(mask.showsLive()).toBe(false);
});

it('learns them from a prompt that comes later', async () => {
  expect(early.value(SAID)).toEqual(SAID);
  expect(early.showsLive()).toBe(true);
  for (const event of await store.read(RUN)) await early.learn(event);
  expect(JSON.stringify(early.value(SAID))).not.toContain('heron');
  expect(early.showsLive()).toBe(false);
});

it('masks the prompt of a turn with the hash of the truth, and reveals it to who asks for it', async () => {
  const rebuilt = await rebuildTurn(store, RUN, 'turn_1');
  if (!rebuilt.ok) throw new Error(rebuilt.error.code);
  const hidden = turnView(rebuilt.value, NO_RECEIPT, false);
  const shown = turnView(rebuilt.value, NO_RECEIPT, true);
  expect(JSON.stringify(hidden)).not.toContain('heron');
  expect(hidden.full).toMatchObject({ masked: true, hash: shown.full.hash });
  expect(shown.full).toMatchObject({ masked: false, text: `You know this: ${WORDS}` });
});
