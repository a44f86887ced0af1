import { createHash, generateKeyPairSync } from 'node:crypto';
import { runOf } from '@cuebook/host';
import { signerOf } from '@cuebook/journal';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { toldIn } from './told-json.js';
import { credentialsAway } from './typed-credentials.js';

const away = await credentialsAway();

const bytes = (count: number) =>
  fc.uint8Array({ minLength: count, maxLength: count }).map((each) => Buffer.from(each));
const hex = (count: number) => bytes(count).map((each) => each.toString('hex'));
const RUN = fc.uuid().map((each) => runOf(each) as string);
const DIGEST = bytes(8).map((each) => `sha256:${createHash('sha256').update(each).digest('hex')}`);
const PORT = fc.integer({ min: 1024, max: 65_535 });

/** By what somebody finds a thing again: what is random in it is never the same twice. */
const IDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'a run': RUN,
  'a turn': fc.tuple(RUN, fc.integer({ min: 1, max: 99 })).map(([run, turn]) => `${run}@${turn}`),
  'an event': fc.tuple(RUN, fc.integer({ min: 1, max: 9999 })).map(([run, seq]) => `${run}#${seq}`),
  'a node of a run': RUN.map((run) => `${run}/dev`),
  'what waits': hex(12).map((each) => `apr_${each}`),
  'a schedule': hex(8).map((each) => `sch_${each}`),
  'a webhook': hex(8).map((each) => `whk_${each}`),
  'a project': hex(9).map((each) => `prj_${each}`),
  'a worker': hex(5).map((each) => `worker-${each}`),
  'a session of an agent': fc.uuid(),
  'a commit': hex(20),
  'a digest': DIGEST,
  'a hash': hex(32),
  'an image': DIGEST.map((digest) => `ghcr.io/acme/agent@${digest}`),
  'a key by its fingerprint': fc
    .constantFrom(...Array.from({ length: 8 }, newKey))
    .map((key) => key.fingerprint),
  'a public key': hex(32).map((each) => `ed25519:${each}`),
  'a server': PORT.map((port) => `http://127.0.0.1:${port}`),
  'a page': fc.tuple(PORT, RUN).map(([port, run]) => `http://127.0.0.1:${port}/#/runs/${run}/comparison`),
  'where a webhook is sent to': fc
    .tuple(PORT, hex(8))
    .map(([port, id]) => `http://127.0.0.1:${port}/api/v1/hooks/whk_${id}`),
  'a file': hex(12).map((each) => `runs/${each}.jsonl`),
};

function newKey() {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = signerOf(pem);
  if (signer === undefined) throw new Error('no key');
  return signer;
}

/** The ways in which a command tells them. */
const SAYS: readonly ((id: string) => string)[] = [
  (id) => id,
  (id) => `${id}\n`,
  (id) => `${id}   idle  2 turns  last event 2026-01-02T03:04:10.000Z\n`,
  (id) => `Go on: cuebook attach ${id}\n`,
  (id) => `  cuebook approvals answer ${id} allow\n`,
  (id) => `Denied ${id}\n`,
  (id) => `Replaced key ${id}\nNow signing with ${id}\n`,
  (id) => `error E_RUN_UNKNOWN No run is called "${id}". \`cuebook runs\` lists them.\n`,
  (id) => `page: ${id}\n`,
  (id) => `ok, 3 events, head ${id}\n`,
  ...[
    'id',
    'run',
    'hash',
    'head',
    'key',
    'commit',
    'url',
    'session',

    'fingerprint',
    'link',
  ].flatMap((name) => [
    (id: string) => `${JSON.stringify({ [name]: id })}\n`,
    (id: string) => `${JSON.stringify({ ok: true, list: [{ name: 'x', [name]: id }] }, null, 2)}\n`,
  ]),
];

it.each(Object.entries(IDS))('%s is told as it is, in whatever a command says of it', (_what, id) => {
  fc.assert(
    fc.property(id, (each) => {
      for (const say of SAYS) expect(toldIn(away, say(each))).toBe(say(each));
    }),
    runs(100, 3000),
  );
});

it('the id of a token is told when the token is revoked', () => {
  fc.assert(
    fc.property(hex(8), (id) => {
      const text = `Revoked token ${id} of ada. Its open connections end.\n`;
      expect(away(text)).toBe(text);
    }),
    runs(300, 10_000),
  );
});
