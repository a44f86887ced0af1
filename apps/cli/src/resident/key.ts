import { createKey, type KeySigner, keySigner } from '@cuebook/bundle';
import type { Files } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { type Call, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { printJson } from '../output/json.js';
import { requireFile } from '../project/named-file.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { requireAgent } from './home.js';

/** `cuebook agent key`: the public key for the card; the private one is made once and stays in CUEBOOK_HOME. */
export async function tellKey(call: Call): Promise<number> {
  const { flags, io } = call;
  const { agent } = (await requireAgent(call)).file;
  return withOpened(await journalPlace(flags, io), async ({ home }) => {
    const there = await home.exists(KEY_FILE);
    if (!requireFile(there, KEY_FILE)) {
      const { pem } = createKey();
      requireFile(await home.writeText(KEY_FILE, pem, { mode: 0o600, ifMatch: 'absent' }), KEY_FILE);
    }
    const publicKey = cardKey(await requireAgentKey(home));
    if (isOn(flags, 'json')) await printJson(io, { agent, publicKey });
    else await io.out(`${publicKey}\n`);
    return 0;
  });
}

/** The key that the agent shows to its platform. */
export async function requireAgentKey(home: Files): Promise<KeySigner> {
  const pem = await home.readText(KEY_FILE);
  if (!pem.ok && pem.error.code === 'E_FILE_NOT_FOUND')
    throw new Failure(
      'E_KEY',
      `The agent has no key yet. ${hint`agent key`} makes one and prints what goes on its card.`,
      {
        exit: 3,
      },
    );
  const signer = keySigner(requireFile(pem, KEY_FILE));
  if (signer === undefined) throw new Failure('E_KEY', `${KEY_FILE} is not an Ed25519 key`, { exit: 3 });
  return signer;
}

/** As `agent_public_key` of a card has it. */
const cardKey = ({ publicKey }: KeySigner): string =>
  `ed25519:${Buffer.from(publicKey.hex, 'hex').toString('base64')}`;

const KEY_FILE = 'agent.key.pem';
