import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createKey,
  DEFAULT_LIFETIMES,
  folderObjects,
  KEYS,
  libraryMetadata,
  type Objects,
  openLog,
  type Publication,
  type PublishingDesk,
  prepareCard,
  publishAgents,
  readDraft,
  reviewMetadata,
  rootMetadata,
  SCENARIOS,
  syncTrust,
  targetsMetadata,
  verifyObject,
} from '@cuebook/bundle';
import { openFolder } from '@cuebook/files';
import { measure } from './measure.js';

// Certified bundles: verifying one against the bare signature, publishing many against writing the same bytes and
// making the same signatures plainly, and what a sync that finds nothing new asks for.

const BAR = { verify: 0.6, publish: 1 / 3, requests: 2 };
const AGENTS = Number(process.env.CUEBOOK_BENCH_AGENTS ?? 10_000);
const NOW = Date.UTC(2026, 10, 15);
const YEAR = 365 * 24 * 60 * 60 * 1000;
let failed = false;

const keys = {
  root: createKey().signer,
  library: createKey().signer,
  reviewer: createKey().signer,
  online: createKey().signer,
  log: createKey().signer,
};
const one = (key: keyof typeof keys) => ({ keys: [keys[key].publicKey], threshold: 1 });
const offline = { version: 1, expires: NOW + YEAR };
const root = rootMetadata(
  { root: one('root'), targets: one('root'), snapshot: one('online'), timestamp: one('online') },
  { ...offline, signers: [keys.root] },
);
const targets = targetsMetadata(
  { library: one('library'), reviews: one('reviewer'), assignment: one('online'), log: one('log') },
  { ...offline, signers: [keys.root] },
);
const scenarios = [...SCENARIOS.values()];
const library = libraryMetadata(scenarios, { ...offline, signers: [keys.library] });

const folder = mkdtempSync(join(tmpdir(), 'cuebook-bench-'));
try {
  const { objects, first } = await publishing();
  await verifying(first);
  await syncing(objects);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = failed ? 1 : 0;

/** A stored bundle, read strictly, parsed, its certificate and bindings checked; against the signature alone. */
async function verifying(bytes: Buffer): Promise<void> {
  const expect = { kind: 'prompt_bundle', subject: 'agent_0', objectKey: KEYS.bundle('agent_0') };
  const ring = new Map([[keys.online.keyId, keys.online.publicKey.object]]);
  const text = bytes.toString();
  const signature = Buffer.from(/"signature":"([^"]+)"/.exec(text)?.[1] ?? '', 'base64');
  const signed = Buffer.from(text.replace(/,"signature":"[^"]+"/, ''));
  const options = { keys: ring, expect, now: NOW };
  if (!verifyObject(bytes, options).ok || !verify(null, signed, keys.online.publicKey.object, signature))
    throw new Error('the bundle does not verify');
  const times = await measure({
    fresh: () => bytes,
    calls: 400,
    rounds: 12,
    contenders: [
      { name: 'node:crypto', run: () => verify(null, signed, keys.online.publicKey.object, signature) },
      { name: 'verifyObject', run: (each) => verifyObject(each, options) },
    ],
  });
  const [bare = 1, whole = 1] = times.values();
  const share = bare / whole;
  console.log(`\nverify a bundle of ${bytes.length} bytes`);
  console.log(`  bare Ed25519 verify       ${bare.toFixed(0)} us`);
  console.log(
    `  verifyObject              ${whole.toFixed(0)} us, ${share.toFixed(2)} of the rate, bar ${BAR.verify}`,
  );
  failed ||= share < BAR.verify;
}

/** Every card, bundle and piece of metadata of every agent; against the same bytes and as many signatures. */
async function publishing(): Promise<{ readonly objects: Objects; readonly first: Buffer }> {
  const files = await openFolder(join(folder), {});
  if (!files.ok) throw new Error(files.error.code);
  const store = folderObjects(files.value);
  const sizes: [string, Buffer][] = [];
  const objects: Objects = {
    ...store,
    put: (key, bytes, options) => {
      sizes.push([key, Buffer.from(bytes)]);
      return store.put(key, bytes, options);
    },
    putAll: async (objects) => {
      sizes.push(...objects.map(({ key, bytes }): [string, Buffer] => [key, Buffer.from(bytes)]));
      return store.putAll?.(objects) ?? { ok: true, value: undefined };
    },
  };
  const log = await openLog(objects, undefined);
  if (!log.ok) throw new Error(log.error.reason);
  await objects.put(KEYS.shared('targets', 1), targets.bytes);
  await objects.put(KEYS.shared('library', 1), library.bytes);
  const desk: PublishingDesk = {
    objects,
    online: keys.online,
    logSigner: keys.log,
    log: log.value,
    logName: 'bench',
    issuer: 'bench',
    targets,
    library,
    now: NOW,
    lifetimes: DEFAULT_LIFETIMES,
  };
  const publications = Array.from({ length: AGENTS }, (_, n) => publication(n));
  sizes.length = 0;
  const took = { ours: 0, plain: 0, swapped: 0 };
  const round = Math.max(1, Math.floor(AGENTS / 20));
  const plainKey = generateKeyPairSync('ed25519').privateKey;
  for (let done = 0; done < publications.length; done += round) {
    const before = sizes.length;
    took.ours += await timed(async () => {
      const published = await publishAgents(desk, publications.slice(done, done + round));
      if (!published.ok) throw new Error(JSON.stringify(published.error));
    });
    const written = sizes.splice(before);
    took.plain += await timed(() => plainly(written, plainKey, false));
    took.swapped += await timed(() => plainly(written, plainKey, true));
  }
  const rate = (ms: number) => `${((AGENTS / ms) * 1000).toFixed(0)} agents a second`;
  const share = took.plain / took.ours;
  console.log(`\npublish ${AGENTS} agents, a card, a bundle and four pieces of metadata each`);
  console.log(`  the same bytes and signatures plainly, made durable   ${rate(took.plain)}`);
  console.log(
    `  publishAgents                                         ${rate(took.ours)}, ${share.toFixed(2)} of that, bar ${BAR.publish.toFixed(2)}`,
  );
  console.log(
    `  the same, each file swapped in as a store must        ${rate(took.swapped)}, publishAgents is ${(took.swapped / took.ours).toFixed(2)} of that`,
  );
  failed ||= share < BAR.publish;
  const first = await objects.get(KEYS.bundle('agent_0'));
  if (!first.ok) throw new Error(first.error.reason);
  return { objects: store, first: Buffer.from(first.value) };
}

function publication(n: number): Publication {
  const draft = readDraft({
    agent_id: `agent_${n}`,
    name: `Agent ${n}`,
    personality: { extrovert: 0.7, curious: 0.9, creative: 0.6, stable: 0.5 },
    interests: ['birds', 'maps'],
    bio: `Number ${n} of many. ${createHash('sha256').update(`${n}`).digest('hex')}`,
  });
  const prepared = draft.ok ? prepareCard(draft.value, 1) : draft;
  if (!prepared.ok) throw new Error(prepared.error.code);
  const reviews = reviewMetadata(prepared.value, { ...offline, signers: [keys.reviewer] });
  return { prepared: prepared.value, version: 1, reviews, scenarios };
}

/** Five signatures an agent (card, bundle, assignment, snapshot, timestamp), every file written and synced; with `swap` also renamed into place, its folder synced, which is what keeps a reader from half a file. */
async function plainly(
  written: readonly [string, Buffer][],
  key: Parameters<typeof sign>[2],
  swap: boolean,
): Promise<void> {
  const isSigned = (name: string) => !/reviews|tiles/.test(name);
  let next = 0;
  const hand = async (): Promise<void> => {
    while (next < written.length) {
      const [name, bytes] = written[next++] as [string, Buffer];
      if (isSigned(name)) sign(null, bytes, key);
      const path = join(folder, swap ? 'swapped' : 'plain', name);
      mkdirSync(dirname(path), { recursive: true });
      const file = await open(swap ? `${path}.tmp` : path, 'w');
      await file.writeFile(bytes);
      await file.sync();
      await file.close();
      if (!swap) continue;
      await rename(`${path}.tmp`, path);
      const parent = await open(dirname(path), 'r');
      await parent.sync();
      await parent.close();
    }
  };
  await Promise.all(Array.from({ length: 16 }, hand));
}

async function syncing(objects: Objects): Promise<void> {
  const reads: string[] = [];
  const counted = {
    get: (key: string, options?: { readonly limit?: number }) => {
      reads.push(key);
      return objects.get(key, options);
    },
  };
  const options = { agent: 'agent_0', root: root.bytes, log: 'bench', objects: counted, now: NOW };
  const first = await syncTrust(options);
  if (!first.ok) throw new Error(JSON.stringify(first.error));
  const fresh = reads.splice(0).length;
  const again = await syncTrust({ ...options, state: first.value.state });
  if (!again.ok || again.value.changed) throw new Error('something is new');
  console.log(`\nsync\n  the first                 ${fresh} requests`);
  console.log(`  with nothing new          ${reads.length} requests, bar ${BAR.requests}`);
  failed ||= reads.length > BAR.requests;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
