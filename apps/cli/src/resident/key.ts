import { createKey, type KeySigner } from '@cuebook/bundle';
import type { Files } from '@cuebook/files';
import { AGENT_KEY_FILE, readAgentKey } from '@cuebook/resident';
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
    const there = await home.exists(AGENT_KEY_FILE);
    if (!requireFile(there, AGENT_KEY_FILE)) {
      const { pem } = createKey();
      requireFile(
        await home.writeText(AGENT_KEY_FILE, pem, { mode: 0o600, ifMatch: 'absent' }),
        AGENT_KEY_FILE,
      );
    }
    const publicKey = cardKey(await requireAgentKey(home));
    if (isOn(flags, 'json')) await printJson(io, { agent, publicKey });
    else await io.out(`${publicKey}\n`);
    return 0;
  });
}

/** The key that the agent shows to its platform. */
async function requireAgentKey(home: Files): Promise<KeySigner> {
  const signer = await readAgentKey(home);
  if (signer.ok) return signer.value;
  throw new Failure(signer.error.code, signer.error.message, { exit: 3 });
}

/** As `agent_public_key` of a card has it. */
const cardKey = ({ publicKey }: KeySigner): string =>
  `ed25519:${Buffer.from(publicKey.hex, 'hex').toString('base64')}`;
