import { expect, test } from 'vitest';
import { runs, sampled } from '../../../../test/runs.js';
import {
  AGENT_SCENARIOS,
  anchorOf,
  NOW,
  newPlatform,
  prepared,
  publish,
  rootRoles,
} from '../../test/platform.js';
import { memoryStore, must } from '../../test/scratch.js';
import { verifyObject } from '../cert/verify.js';
import { KEYS } from '../ids.js';
import { acceptSet, delegatedKeys } from './accept.js';
import { openChain, ROLE_NAMES } from './chain.js';
import { rootMetadata } from './metadata.js';
import { syncTrust } from './sync.js';

// Every byte of everything that an agent believes, one bit of it flipped; which bit goes round. `npm test` takes a
// tenth of them, others with each commit.

const PARTS = ['timestamp', 'snapshot', ...ROLE_NAMES] as const;

async function ready() {
  const platform = await newPlatform();
  const scenarios = AGENT_SCENARIOS.slice(0, 2);
  await publish(platform, prepared(), 1, { scenarios });
  const { root1, root2 } = platform.keys;
  const root = rootMetadata(rootRoles(platform.keys), {
    version: 2,
    expires: NOW + 1e9,
    signers: [root1, root2],
  });
  platform.store.all.set(KEYS.root(2), root.bytes);
  const options = { ...anchorOf(platform), objects: platform.store, now: NOW };
  const { state } = must(await syncTrust(options));
  return { platform, options, state, anchor: anchorOf(platform), root: root.bytes };
}
const flip = (bytes: Buffer, at: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
  return flipped;
};
const eachFlip = function* (bytes: Buffer) {
  const { numRuns } = runs(bytes.length, bytes.length);
  for (const at of sampled([...bytes.keys()], numRuns)) yield { at, flipped: flip(bytes, at) };
};

test.each(PARTS)('no byte of the %s can be changed', async (part) => {
  const { state, anchor } = await ready();
  const chain = must(openChain(anchor.root, NOW));
  const take = (name: (typeof PARTS)[number], bytes: Buffer) =>
    name === 'timestamp' || name === 'snapshot' ? chain[name](bytes) : chain.role(bytes, name);
  for (const before of PARTS.slice(0, PARTS.indexOf(part))) must(take(before, state[before]));
  // A step that fails changes nothing, so that one chain stands for all tries.
  for (const { at, flipped } of eachFlip(state[part])) if (take(part, flipped).ok) expect.fail(`byte ${at}`);
  must(take(part, state[part]));
});

test('no byte of a root can be changed, pinned or followed', async () => {
  const { anchor, root } = await ready();
  const chain = must(openChain(anchor.root, NOW));
  for (const { at, flipped } of eachFlip(root))
    if (chain.root(flipped).ok) expect.fail(`byte ${at} of a followed root`);
  must(chain.root(root));
  for (const { at, flipped } of eachFlip(Buffer.from(anchor.root)))
    if (openChain(flipped, NOW).ok) expect.fail(`byte ${at} of the pinned root`);
});

test('no byte of a card or bundle can be changed: by hash, and by signature alone', async () => {
  const { state, anchor } = await ready();
  const chain = must(openChain(anchor.root, 0));
  must(chain.timestamp(state.timestamp));
  must(chain.snapshot(state.snapshot));
  for (const name of ROLE_NAMES) must(chain.role(state[name], name));
  const roles = chain.roles();
  if (roles === undefined) throw new Error();
  const { agent } = anchor;
  expect(acceptSet({ agent, roles, card: state.card, bundle: state.bundle }).ok).toBe(true);
  const keys = delegatedKeys(roles.targets, 'assignment');
  for (const part of ['card', 'bundle'] as const) {
    const kind = part === 'card' ? 'agent_card' : 'prompt_bundle';
    const expected = { kind, subject: agent, objectKey: KEYS[part](agent) };
    expect(verifyObject(state[part], { keys, expect: expected }).ok).toBe(true);
    for (const { at, flipped } of eachFlip(state[part])) {
      if (acceptSet({ agent, roles, ...state, [part]: flipped }).ok) expect.fail(`byte ${at} of the ${part}`);
      if (verifyObject(flipped, { keys, expect: expected }).ok) expect.fail(`byte ${at} of the ${part}`);
    }
  }
});

test('no object of a store can be cut, made longer or left out', async () => {
  const { platform, options } = await ready();
  // What a parcel carries must hold without it too.
  platform.store.all.delete(KEYS.own('ada_1', 'update', 1));
  for (const [key, bytes] of platform.store.all) {
    // A root that is not there is the end of the chain, which is where the agent is then.
    const changes = [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from(' ')]), Buffer.alloc(0)];
    for (const change of changes) {
      const objects = memoryStore(new Map([...platform.store.all, [key, change]]));
      expect((await syncTrust({ ...options, objects })).ok, key).toBe(false);
    }
    if (key === KEYS.root(2)) continue;
    const objects = memoryStore(new Map([...platform.store.all].filter(([each]) => each !== key)));
    expect((await syncTrust({ ...options, objects })).ok, key).toBe(false);
  }
});
