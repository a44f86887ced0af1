import { resolve } from 'node:path';
import { agentObjects, folderObjects, type KeySigner, keySigner, type Objects } from '@cuebook/bundle';
import { describeFileError, type FileError, type Files, openFolder } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { AGENT_FILE, type AgentFile } from './agent-file.js';
import { type Desk, openDesk } from './desk.js';
import { connectPlatform, type PlatformPlace } from './platform-connection.js';

/** Where an agent lives: its folder, and CUEBOOK_HOME. */
export interface AgentPlace {
  readonly folder: string;
  readonly home: Files;
  /** A person says that the clock is right, though it has told a later time before. */
  readonly clockIsRight?: boolean;
}

/** `E_KEY`, or what a file says. Messages leak nothing. */
export interface AgentHomeError {
  readonly code: string;
  readonly message: string;
}

/** The private key of an agent, in CUEBOOK_HOME. */
export const AGENT_KEY_FILE = 'agent.key.pem';
/** The key that is to take its place, until the platform knows it. */
export const NEXT_KEY_FILE = 'agent.key.next.pem';
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
  const { objects, floor, signer } = opened.value;
  const { agent, log } = file;
  return ok(
    openDesk({
      agent,
      root: Buffer.from(root.value),
      log,
      objects,
      floor,
      signer,
      clockIsRight: place.clockIsRight,
      files: place.home,
      path: TRUST_FILE,
    }),
  );
}

interface AgentStore {
  readonly objects: Objects;
  /** The least version to accept, told by the platform. */
  readonly floor?: number;
  readonly signer?: KeySigner;
}

/** A folder of this machine, or what the platform's credentials open. */
async function openAgentStore(
  { agent, platform: url, store, log: platform }: AgentFile,
  { folder, home }: AgentPlace,
): Promise<Result<AgentStore, AgentHomeError>> {
  if (url === undefined) {
    const opened = await openFolder(resolve(folder, store ?? ''));
    if (!opened.ok) return unreadable(`the store of ${AGENT_FILE}`, opened.error);
    const own = await readAgentKey(home);
    const objects = folderObjects(opened.value);
    return ok(own.ok ? { objects, signer: own.value } : { objects });
  }
  const signer = await currentKey(home, { url, platform, agent });
  if (!signer.ok) return signer;
  const connection = connectPlatform({ url, platform, agent, signer: signer.value });
  const objects = agentObjects(connection, () => Date.now());
  // Who was admitted before comes back with a session; who was not answers the challenge that its owner opened. A
  // platform that lets nobody in leaves a store in which everything is denied: the last good state stays.
  const session = await connection.session();
  const entered = session.ok ? session : await connection.admit();
  const known = { objects, signer: signer.value };
  return ok(entered.ok && entered.value !== undefined ? { ...known, floor: entered.value.floor } : known);
}

/**
 * The key that the platform knows. One that was made to take over does so when the platform asks for it, or has taken
 * over already: whenever the process dies in between, the next start finds out which of the two counts.
 */
async function currentKey(
  home: Files,
  place: Omit<PlatformPlace, 'signer'>,
): Promise<Result<KeySigner, AgentHomeError>> {
  const own = await readAgentKey(home);
  const pem = await home.readText(NEXT_KEY_FILE);
  const next = pem.ok ? keySigner(pem.value) : undefined;
  if (next === undefined) return own;
  const connection = connectPlatform({ ...place, signer: next });
  const taken = await connection.takeOver();
  const isKnown = (taken.ok && taken.value) || (await connection.session()).ok;
  if (!isKnown) return own;
  const moved = await home.writeText(AGENT_KEY_FILE, pem.ok ? pem.value : '', { mode: 0o600 });
  if (!moved.ok) return unreadable(AGENT_KEY_FILE, moved.error);
  const removed = await home.remove(NEXT_KEY_FILE);
  return removed.ok ? ok(next) : unreadable(NEXT_KEY_FILE, removed.error);
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
