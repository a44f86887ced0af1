import { resolve } from 'node:path';
import { agentObjects, folderObjects, type KeySigner, keySigner, type Objects } from '@cuebook/bundle';
import { describeFileError, type FileError, type Files, openFolder } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { AGENT_FILE, type AgentFile } from './agent-file.js';
import { type Desk, openDesk } from './desk.js';
import { connectPlatform } from './platform-connection.js';

/** Where an agent lives: its folder, and CUEBOOK_HOME. */
export interface AgentPlace {
  readonly folder: string;
  readonly home: Files;
}

/** `E_KEY`, or what a file says. Messages leak nothing. */
export interface AgentHomeError {
  readonly code: string;
  readonly message: string;
}

/** The private key of an agent, in CUEBOOK_HOME. */
export const AGENT_KEY_FILE = 'agent.key.pem';
const TRUST_FILE = 'trust.json';

/** What the agent has at hand: its store, and its trust state in CUEBOOK_HOME. */
export async function openAgentDesk(
  file: AgentFile,
  place: AgentPlace,
): Promise<Result<Desk, AgentHomeError>> {
  const opened = await openAgentStore(file, place);
  if (!opened.ok) return opened;
  const folder = await openFolder(place.folder, { access: 'ro' });
  const root = folder.ok ? await folder.value.readBytes(file.root) : folder;
  if (!root.ok) return unreadable(`the root of ${AGENT_FILE}`, root.error);
  const { objects, floor } = opened.value;
  const { agent, log } = file;
  return ok(
    openDesk({
      agent,
      root: Buffer.from(root.value),
      log,
      objects,
      floor,
      files: place.home,
      path: TRUST_FILE,
    }),
  );
}

interface AgentStore {
  readonly objects: Objects;
  /** The least version to accept, told by the platform. */
  readonly floor?: number;
}

/** A folder of this machine, or what the platform's credentials open. */
async function openAgentStore(
  { agent, platform: url, store, log: platform }: AgentFile,
  { folder, home }: AgentPlace,
): Promise<Result<AgentStore, AgentHomeError>> {
  if (url === undefined) {
    const opened = await openFolder(resolve(folder, store ?? ''));
    if (!opened.ok) return unreadable(`the store of ${AGENT_FILE}`, opened.error);
    return ok({ objects: folderObjects(opened.value) });
  }
  const signer = await readAgentKey(home);
  if (!signer.ok) return signer;
  const connection = connectPlatform({ url, platform, agent, signer: signer.value });
  const objects = agentObjects(connection, () => Date.now());
  // Who was admitted before comes back with a session; who was not answers the challenge that its owner opened. A
  // platform that lets nobody in leaves a store in which everything is denied: the last good state stays.
  const session = await connection.session();
  const entered = session.ok ? session : await connection.admit();
  return ok(
    entered.ok && entered.value !== undefined ? { objects, floor: entered.value.floor } : { objects },
  );
}

/** The key that the agent shows to its platform. */
export async function readAgentKey(home: Files): Promise<Result<KeySigner, AgentHomeError>> {
  const pem = await home.readText(AGENT_KEY_FILE);
  if (!pem.ok && pem.error.code === 'E_FILE_NOT_FOUND')
    return fail({
      code: 'E_KEY',
      message: `The agent has no key yet. ${hint`agent key`} makes one and prints what goes on its card.`,
    });
  if (!pem.ok) return unreadable(AGENT_KEY_FILE, pem.error);
  const signer = keySigner(pem.value);
  return signer === undefined
    ? fail({ code: 'E_KEY', message: `${AGENT_KEY_FILE} is not an Ed25519 key` })
    : ok(signer);
}

const unreadable = (what: string, error: FileError): Result<never, AgentHomeError> =>
  fail({ code: error.code, message: `${what}: ${describeFileError(error)}` });
