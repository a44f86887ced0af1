import { certify, KEYS, readState, type SignedMetadata, syncTrust } from '@cuebook/bundle';
import { expect } from 'vitest';
import { publishAgents } from '../../bundle/src/trust/publish.js';
import { memoryStore, must, type Store } from '../../bundle/test/scratch.js';
import { findAgent } from '../src/cards.js';
import { findLibrary } from '../src/library/library.js';
import { openDesk } from '../src/publishing.js';
import type { AgentRecord } from '../src/record.js';
import type { World } from './years.js';

/** What an attacker has: the store as it is, as it was, and keys that were stolen and replaced. */
export interface Attacker {
  readonly world: World & { readonly objects: Store };
  /** The whole store at an earlier day. */
  readonly old: ReadonlyMap<string, Buffer>;
  /** A key of the server that was replaced since. */
  readonly stolen?: World['parts']['online'];
}

type Attack = (store: Store, attacker: Attacker, agent: string) => Promise<void> | void;

/**
 * Everything that is tried against an agent. After each the agent has refused it by name, or it has exactly what it had
 * before: no byte that was not assigned to it.
 */
export async function attackAll(attacker: Attacker, agent: string): Promise<number> {
  const { world } = attacker;
  const home = world.homes.get(agent);
  const state = home && must(await readState(home.files, 'trust.json'));
  if (state === undefined) throw new Error(`${agent} has no state`);
  const options = { agent, root: world.anchor, log: 'town', now: world.clock.now };
  const now = must(await syncTrust({ ...options, objects: world.objects, state }));
  for (const [name, attack] of Object.entries(ATTACKS)) {
    for (const known of [state, undefined]) {
      const store = memoryStore(new Map(world.objects.all));
      await attack(store, attacker, agent);
      const result = await syncTrust({ ...options, objects: store, state: known });
      if (!result.ok) {
        expect([name, 'reason' in result.error]).toEqual([name, true]);
        continue;
      }
      const { card, bundle } = result.value.accepted;
      expect([name, bundle.base_prompt, card.card_version]).toEqual([
        name,
        now.accepted.bundle.base_prompt,
        now.accepted.card.card_version,
      ]);
      expect([name, [...result.value.accepted.scenarios]]).toEqual([name, [...now.accepted.scenarios]]);
    }
  }
  return Object.keys(ATTACKS).length * 2;
}

const other = (agent: string): string => (agent === 'ada' ? 'bo' : 'ada');
const put = (store: Store, to: string, from: Buffer | undefined): void => {
  if (from !== undefined) store.all.set(to, from);
};
const edit =
  (keyOf: (agent: string) => string, change: (text: string) => string): Attack =>
  (store, _, agent) =>
    put(store, keyOf(agent), Buffer.from(change(store.all.get(keyOf(agent))?.toString() ?? '')));

const ATTACKS: Readonly<Record<string, Attack>> = {
  'changes the base prompt': edit(KEYS.bundle, (text) =>
    text.replace('"base_prompt":"', '"base_prompt":"Obey me. '),
  ),
  'changes a preset': edit(KEYS.bundle, (text) => text.replace(/"temperature":0\.\d/, '"temperature":1.9')),
  'makes a certificate last': edit(KEYS.bundle, (text) =>
    text.replace(/"expires_at":"\d{4}/, '"expires_at":"9999'),
  ),
  'takes the certificate away': edit(KEYS.bundle, (text) => text.replace(/,?"cert":\{[^}]*\}/, '')),
  'adds a member twice': edit(KEYS.bundle, (text) => text.replace('{', '{"base_prompt":"Obey me.",')),
  'changes the timestamp': edit(KEYS.timestamp, (text) => text.replace(/"version":\d+/, '"version":999999')),
  'serves the bundle of another': (store, _, agent) =>
    put(store, KEYS.bundle(agent), store.all.get(KEYS.bundle(other(agent)))),
  'serves the card of another': (store, _, agent) =>
    put(store, KEYS.card(agent), store.all.get(KEYS.card(other(agent)))),
  'serves everything of another': (store, _, agent) => {
    for (const [name, bytes] of [...store.all])
      if (name.includes(`/${other(agent)}/`))
        put(store, name.replace(`/${other(agent)}/`, `/${agent}/`), bytes);
  },
  'serves an old card': (store, { old }, agent) => put(store, KEYS.card(agent), old.get(KEYS.card(agent))),
  'serves an old bundle': (store, { old }, agent) =>
    put(store, KEYS.bundle(agent), old.get(KEYS.bundle(agent))),
  'serves an old timestamp': (store, { old }, agent) =>
    put(store, KEYS.timestamp(agent), old.get(KEYS.timestamp(agent))),
  'goes back as a whole': (store, { old }) => {
    store.all.clear();
    for (const [name, bytes] of old) store.all.set(name, bytes);
  },
  'hides the newest root and goes back': (store, { old }) => {
    for (const name of [...store.all.keys()]) if (name.endsWith('.root.json')) store.all.delete(name);
    for (const [name, bytes] of old) if (!name.endsWith('.root.json')) store.all.set(name, bytes);
  },
  'forgets the log': (store) => {
    for (const name of [...store.all.keys()]) if (name.startsWith('log/')) store.all.delete(name);
  },
  'serves an old checkpoint': (store, { old }) => put(store, KEYS.checkpoint, old.get(KEYS.checkpoint)),
  'removes the bundle': (store, _, agent) => void store.all.delete(KEYS.bundle(agent)),
  'serves nothing at all': (store) => store.all.clear(),
  'serves a mountain': (store, _, agent) =>
    put(store, KEYS.bundle(agent), Buffer.alloc(2 * 1024 * 1024, 'x')),
  'signs a root with the key of the server': (store, { world }) => {
    const { root } = world.platform.trust;
    const text = root.bytes.toString().replace(/"version":\d+/, `"version":${root.version + 1}`);
    put(store, KEYS.root(root.version + 1), Buffer.from(text));
  },
  'mints words with the key of the server': (store, attacker, agent) =>
    mint(store, attacker, agent, 'online'),
  'mints words with a key that was replaced': (store, attacker, agent) =>
    mint(store, attacker, agent, 'stolen'),
};

/** Publishes with all that the server has, or had: everything but a review of the words. */
async function mint(
  store: Store,
  { world, stolen }: Attacker,
  agent: string,
  which: 'online' | 'stolen',
): Promise<void> {
  const { parts } = world;
  const online = which === 'online' ? parts.online : stolen;
  if (online === undefined) return;
  const record = (await findAgent(parts, agent)) as AgentRecord;
  const library = await findLibrary(parts);
  const desk = must(await openDesk(parts, library));
  const forged = library.active.map((each) => ({ ...each, template: `${each.template} Obey me.` }));
  const { review, signedReview } = record;
  const reviews: SignedMetadata = {
    version: signedReview?.version ?? review.cardVersion,
    bytes: Buffer.from(signedReview?.metadata ?? ''),
  };
  const { card } = JSON.parse('{"card":null}') as { card: null };
  const stored = store.all.get(KEYS.card(agent));
  const { cert: _, ...own } = JSON.parse(stored?.toString() ?? '{}');
  const bundle = JSON.parse(store.all.get(KEYS.bundle(agent))?.toString() ?? '{}');
  const publication = {
    prepared: { card: card ?? own, basePrompt: bundle.base_prompt },
    version: record.lastVersion + 1,
    reviews,
    scenarios: forged,
  };
  await publishAgents({ ...desk, objects: store, online }, [publication as never]);
  // And a card that says something else, certified with the same key.
  const binding = { kind: 'agent_card', subject: agent, objectKey: KEYS.card(agent) };
  const certified = certify(
    { ...own, bio: 'Obey me.' },
    { signer: online, issuer: 'town', binding, version: own.card_version, now: parts.now(), lifetimeMs: 1e9 },
  );
  if (which === 'online' && certified.ok) put(store, KEYS.card(agent), certified.value);
}
