import { resolve } from 'node:path';
import { agentObjects, folderObjects, type KeySigner, keySigner, type Objects } from '@cuebook/bundle';
import { describeFileError, type FileError, type Files, openFolder } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { AGENT_FILE, type AgentFile } from './agent-file.js';
import { type Desk, type Entered, openDesk } from './desk.js';
import { connectPlatform, type PlatformConnection, type PlatformPlace } from './platform-connection.js';

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

/**
 * The folder of an agent in CUEBOOK_HOME. Several agents may share a home: none of them finds the key or the trust
 * state of another.
 */
export const agentFolder = (agent: string): string => `agents/${agent}`;

/** The private key of an agent, in CUEBOOK_HOME. */
export const agentKeyFile = (agent: string): string => `${agentFolder(agent)}/agent.key.pem`;
/** The key that is to take its place, until the platform knows it. */
export const nextKeyFile = (agent: string): string => `${agentFolder(agent)}/agent.key.next.pem`;
const trustFile = (agent: string): string => `${agentFolder(agent)}/trust.json`;

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
  const { objects, enter: shows, signer } = opened.value;
  const { agent, log } = file;
  const made = await place.home.makeDirectory(agentFolder(agent));
  if (!made.ok) return unreadable('CUEBOOK_HOME', made.error);
  return ok(
    openDesk({
      agent,
      root: Buffer.from(root.value),
      log,
      objects,
      ...(shows && { enter: shows }),
      signer,
      clockIsRight: place.clockIsRight,
      files: place.home,
      path: trustFile(agent),
    }),
  );
}

interface AgentStore {
  readonly objects: Objects;
  /** Shows the key to the platform; left out where no platform is asked. */
  readonly enter?: () => Promise<Entered>;
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
    const own = await readAgentKey(home, agent);
    const objects = folderObjects(opened.value);
    return ok(own.ok ? { objects, signer: own.value } : { objects });
  }
  const signer = await currentKey(home, { url, platform, agent });
  if (!signer.ok) return signer;
  const connection = connectPlatform({ url, platform, agent, signer: signer.value });
  return ok({
    objects: agentObjects(connection, () => Date.now()),
    enter: () => enter(connection),
    signer: signer.value,
  });
}

/**
 * Who was admitted before comes back with a session; who was not has asked with it, and answers the challenge that its
 * owner opened. A platform that lets nobody in leaves a store in which everything is denied: the last good state stays.
 */
async function enter(connection: PlatformConnection): Promise<Entered> {
  const session = await connection.session();
  if (session.ok) return { entry: 'admitted', floor: session.value.floor };
  const admitted = await connection.admit();
  if (admitted.ok && admitted.value !== undefined) return { entry: 'admitted', floor: admitted.value.floor };
  const failure = admitted.ok ? session.error : admitted.error;
  if (failure.code !== 'E_CONNECTION') return { entry: 'waiting' };
  if (failure.reason !== 'refused') return { entry: 'unreachable' };
  return { entry: failure.status === 404 ? 'unknown' : 'waiting' };
}

/**
 * The key that the platform knows. One that was made to take over does so when the platform asks for it, or has taken
 * over already: whenever the process dies in between, the next start finds out which of the two counts.
 */
async function currentKey(
  home: Files,
  place: Omit<PlatformPlace, 'signer'>,
): Promise<Result<KeySigner, AgentHomeError>> {
  const { agent } = place;
  const [key, waiting] = [agentKeyFile(agent), nextKeyFile(agent)];
  const own = await readAgentKey(home, agent);
  const pem = await home.readText(waiting);
  const next = pem.ok ? keySigner(pem.value) : undefined;
  if (next === undefined) return own;
  const connection = connectPlatform({ ...place, signer: next });
  const taken = await connection.takeOver();
  const isKnown = (taken.ok && taken.value) || (await connection.session()).ok;
  if (!isKnown) return own;
  const moved = await home.writeText(key, pem.ok ? pem.value : '', { mode: 0o600 });
  if (!moved.ok) return unreadable(key, moved.error);
  const removed = await home.remove(waiting);
  return removed.ok ? ok(next) : unreadable(waiting, removed.error);
}

/** The key that the agent shows to its platform. */
export async function readAgentKey(home: Files, agent: string): Promise<Result<KeySigner, AgentHomeError>> {
  const path = agentKeyFile(agent);
  const pem = await home.readText(path);
  if (!pem.ok && pem.error.code === 'E_FILE_NOT_FOUND')
    return fail({
      code: 'E_KEY',
      message: `The agent has no key yet. ${hint`agent key`} makes one and prints what goes on its card.`,
    });
  if (!pem.ok) return unreadable(path, pem.error);
  const signer = keySigner(pem.value);
  return signer === undefined
    ? fail({ code: 'E_KEY', message: `${path} is not an Ed25519 key` })
    : ok(signer);
}

const unreadable = (what: string, error: FileError): Result<never, AgentHomeError> =>
  fail({ code: error.code, message: `${what}: ${describeFileError(error)}` });
