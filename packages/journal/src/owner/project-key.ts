import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Files } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { KeyError } from '../turn/key/key-files.js';
import { PROJECT_ID } from './project-id.js';

/**
 * What every machine of a project has in common, beside the database: its id and a secret. The secret opens what the
 * project has sealed in the store, and proves that a signing key is one of the project's own.
 */
export interface ProjectKey {
  readonly project: string;
  readonly secret: Uint8Array;
}

/** Where it lies below CUEBOOK_HOME, readable by its owner alone. */
export const PROJECT_KEY_FILE = 'keys/project.key';

/** The environment variable that hands it to another machine. */
export const PROJECT_KEY_VARIABLE = 'CUEBOOK_PROJECT_KEY';

const WORD = 'cuebook-project';
const BYTES = 32;

/** One line, for a file or the environment. */
export const printProjectKey = ({ project, secret }: ProjectKey): string =>
  `${WORD}.${project}.${Buffer.from(secret).toString('base64url')}`;

/** Undefined: it is no such line. */
export function parseProjectKey(text: string): ProjectKey | undefined {
  const [word, project = '', encoded = '', ...more] = text.trim().split('.');
  const secret = Buffer.from(encoded, 'base64url');
  const isKey = word === WORD && PROJECT_ID.test(project) && secret.length === BYTES && more.length === 0;
  return isKey && secret.toString('base64url') === encoded ? { project, secret } : undefined;
}

export const newProjectKey = (project: string): ProjectKey => ({ project, secret: randomBytes(BYTES) });

/** A key for one use of the secret: what is learned of one tells nothing of the others. */
export const keyFor = ({ secret, project }: ProjectKey, use: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, project, `cuebook ${use}`, BYTES));

/** Proves that whoever wrote a text has the project's key. */
export const proofOf = (key: ProjectKey, text: string): string =>
  createHmac('sha256', keyFor(key, 'proof')).update(text).digest('base64url');

export function isProof(key: ProjectKey, text: string, proof: string): boolean {
  const right = Buffer.from(proofOf(key, text));
  const given = Buffer.from(proof);
  return right.length === given.length && timingSafeEqual(right, given);
}

/** The key that a home has; undefined: none. */
export async function readProjectKey(home: Files): Promise<Result<ProjectKey | undefined, KeyError>> {
  const text = await home.readText(PROJECT_KEY_FILE, { limit: 1_000 });
  if (!text.ok) return text.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : text;
  const key = parseProjectKey(text.value);
  return key === undefined ? fail({ code: 'E_JOURNAL_KEY', path: PROJECT_KEY_FILE }) : ok(key);
}

/** Keeps a key in a home. Where there is one already, that one stays and is the answer. */
export async function keepProjectKey(home: Files, key: ProjectKey): Promise<Result<ProjectKey, KeyError>> {
  const made = await home.makeDirectory('keys');
  if (!made.ok) return made;
  const text = `${printProjectKey(key)}\n`;
  const written = await home.writeText(PROJECT_KEY_FILE, text, { mode: 0o600, ifMatch: 'absent' });
  if (!written.ok && written.error.code !== 'E_FILE_CHANGED') return written;
  const kept = await readProjectKey(home);
  return kept.ok ? ok(kept.value ?? key) : kept;
}
