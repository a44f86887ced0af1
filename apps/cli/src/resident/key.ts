import { createKey, type KeySigner, keySigner } from '@cuebook/bundle';
import type { Files } from '@cuebook/files';
import { hint } from '@cuebook/prompt/hint';
import { agentFolder, agentKeyFile, nextKeyFile, readAgentKey } from '@cuebook/resident';
import { type Call, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { requireFile } from '../project/named-file.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { requireAgent } from './home.js';

/**
 * `cuebook agent key`: the public key for the card; the private one is made once and stays in CUEBOOK_HOME. With `--new`
 * another is made beside it, which takes over when its owner has said so to the platform.
 */
export async function tellKey(call: Call): Promise<number> {
  const { flags, io } = call;
  const { agent } = (await requireAgent(call)).file;
  return withOpened(await journalPlace(flags, io), async ({ home }) => {
    const publicKey = await keepKey(home, agent);
    if (isOn(flags, 'new')) return makeNext(call, home, agent);
    if (isOn(flags, 'json')) await printJson(io, { agent, publicKey });
    else await io.out(`${publicKey}\n`);
    return 0;
  });
}

/** A key that is to take over. One that waits already is told again. */
async function makeNext({ flags, io }: Call, home: Files, agent: string): Promise<number> {
  const path = nextKeyFile(agent);
  if (!requireFile(await home.exists(path), path)) {
    const { pem } = createKey();
    requireFile(await home.writeText(path, pem, { mode: 0o600, ifMatch: 'absent' }), path);
  }
  const next = keySigner(requireFile(await home.readText(path), path));
  if (next === undefined) throw new Failure('E_KEY', `${path} is not an Ed25519 key`, { exit: 3 });
  const { hex } = next.publicKey;
  if (isOn(flags, 'json')) await printJson(io, { agent, newKey: hex, publicKey: cardKey(next) });
  else
    await io.out(
      told(
        io,
        `Its owner lets it take over with: ${hint`platform admit ${agent} --new-key ${hex}`}\nThe agent does the rest when it next syncs. For its card: ${cardKey(next)}\n`,
      ),
    );
  return 0;
}

/** The public key of an agent, as its card has it. The private one is made where there is none. */
export async function keepKey(home: Files, agent: string): Promise<string> {
  const path = agentKeyFile(agent);
  if (!requireFile(await home.exists(path), path)) {
    requireFile(await home.makeDirectory(agentFolder(agent)), 'CUEBOOK_HOME');
    const { pem } = createKey();
    requireFile(await home.writeText(path, pem, { mode: 0o600, ifMatch: 'absent' }), path);
  }
  const signer = await readAgentKey(home, agent);
  if (signer.ok) return cardKey(signer.value);
  throw new Failure(signer.error.code, signer.error.message, { exit: 3 });
}

/** As `agent_public_key` of a card has it. */
const cardKey = ({ publicKey }: KeySigner): string =>
  `ed25519:${Buffer.from(publicKey.hex, 'hex').toString('base64')}`;
