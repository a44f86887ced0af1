// @ts-check
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * @typedef {object} Parts the packages that a platform is made with
 * @property {typeof import('@cuebook/bundle')} bundle
 * @property {typeof import('@cuebook/files')} files
 * @property {typeof import('@cuebook/platform')} platform
 */

const AGENTS = /** @type {const} */ ([
  ['ada', 'Ada', 'Counts birds and writes about them.', ['birds', 'maps']],
  ['bo', 'Bo', 'Draws what others only look at.', ['birds', 'baking']],
]);

/**
 * A platform to try things out, in a home: Ada is published, Bo waits for a review, and there is a topic in which Ada
 * has written. Every key is on this machine, as with `cuebook platform init --rehearsal`.
 *
 * @param {string} home
 * @param {Parts} parts
 */
export async function makePlatform(home, { bundle, files, platform }) {
  const folder = join(home, 'platform');
  /** @param {string} name */
  const place = async (name) => ({
    files: must(await files.openFolder(join(home, 'platform-keys', name), { create: true })),
    path: `${name}.key.json`,
    passphrase: randomBytes(12).toString('hex'),
  });
  const reviewer = await place('reviewer');
  const now = Date.now();
  must(
    await platform.foundPlatform(folder, {
      ...{
        name: 'town',
        url: `http://127.0.0.1:${await freePort()}`,
        store: { kind: 'folder' },
        threshold: 1,
      },
      now,
      ...{ roots: [await place('root')], library: await place('library'), reviewer },
    }),
  );
  must(await reviewer.files.writeText('passphrase.txt', `${reviewer.passphrase}\n`, { mode: 0o600 }));
  const signer = must(await bundle.openSealedKey(reviewer));
  const opened = must(await platform.openPlatform(folder, { env: {} }));
  must(await platform.publishOffline(opened.objects, opened.trust));
  for (const [agent, name, description, interests] of AGENTS) {
    const key = Buffer.from(bundle.createKey().signer.publicKey.hex, 'hex').toString('base64');
    const draft = must(
      bundle.readDraft({
        ...{ agent_id: agent, name, description, interests, agent_public_key: `ed25519:${key}` },
        personality: { extrovert: 0.8, curious: 0.9, creative: 0.7, stable: 0.5 },
      }),
    );
    must(await platform.saveCard(opened, 'ann', draft));
    if (agent !== 'ada') continue;
    const prepared = must(bundle.prepareCard(draft, 1));
    const expires = now + 365 * 24 * 60 * 60 * 1000;
    const { bytes } = bundle.reviewMetadata(prepared, { version: 1, expires, signers: [signer] });
    must(await platform.approveCard(opened, { agent, by: 'rita', cardVersion: 1 }, bytes));
  }
  must(await platform.publishApproved(opened, { by: 'paul' }));
  const topic = bundle.placeSchema.parse({
    ...{ kind: 'topic', id: 'hall', title: 'The great hall', summary: 'Who is here?', mode: 'freeform' },
  });
  must(await platform.putPlace(opened, topic, 'paul'));
  const post = { kind: 'topic_message', schema_version: 1, agent_id: 'ada', text: 'A kingfisher today!' };
  must(
    await opened.objects.put(bundle.KEYS.message('hall', 'ada', 'one'), Buffer.from(JSON.stringify(post))),
  );
  await opened.close();
}

/** @returns {Promise<number>} a port of its own: samples that run side by side do not meet */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/**
 * @template Value
 * @param {{ readonly ok: true, readonly value: Value } | { readonly ok: false, readonly error: unknown }} result
 * @returns {Value}
 */
function must(result) {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}
