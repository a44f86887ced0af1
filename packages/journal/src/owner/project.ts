import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { describeFileError, type Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { firstKey, type KeyRecord } from '../turn/key/chain.js';
import type { PublicKeys, Signer } from '../turn/key/key.js';
import { createSigner, type KeyError, readPublicKeys } from '../turn/key/key-files.js';
import { readChain } from '../turn/key/rotate.js';
import { PROJECT_ID } from './project-id.js';
import {
  keepProjectKey,
  newProjectKey,
  PROJECT_KEY_VARIABLE,
  type ProjectKey,
  parseProjectKey,
  readProjectKey,
} from './project-key.js';

/** A project as its records know it. */
export interface Project {
  /** `prj_` and letters or digits: made once, kept in CUEBOOK_HOME and in the store. */
  readonly id: string;
  /** For people: the name of its folder. */
  readonly name: string;
}

/** Whose records a store holds, and who signs for them. */
export interface StoreOwner {
  readonly project: Project;
  /** The id was made just now: a store that this home has signed for may tell an earlier one. */
  readonly isNew: boolean;
  readonly signer: Signer;
  /** Its own key, and those that it accepts. */
  readonly publicKeys: PublicKeys;
  /** How its own keys followed one another; the last one is its signer's. */
  readonly keys: readonly KeyRecord[];
  /** The real path of the anchor. */
  readonly anchorFile: string;
  /** What it has in common with the other machines of the project; left out: it is alone so far. */
  readonly projectKey?: ProjectKey | undefined;
  /** The key that another process of this home has made meanwhile, or, if nobody has one, a new one that is kept. */
  takeProjectKey(
    project: string,
    may: { readonly make: boolean },
  ): Promise<Result<ProjectKey | undefined, KeyError>>;
  /** Keeps the id in CUEBOOK_HOME, once a store has it. */
  keep(project: Project): Promise<void>;
}

/** Where the id lies below CUEBOOK_HOME. */
export const PROJECT_FILE = 'project.json';

export interface OwnerOptions {
  /** The real path of the project's folder, for its name. */
  readonly folder: string;
  readonly anchorFile: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A key in the environment that is none, or that of another project than the home's. */
export interface ProjectKeyError {
  readonly code: 'E_JOURNAL_PROJECT_KEY';
  readonly reason: 'malformed' | 'home';
}

/** The real path of the anchor of a home: CUEBOOK_ANCHOR, or a file in the home, apart from the records. */
export const anchorFileOf = (home: string, env: Readonly<Record<string, string | undefined>>): string =>
  resolve(home, env.CUEBOOK_ANCHOR || 'anchor.jsonl');

/** The owner of a home: its key and id are made on first use. */
export async function openOwner(
  home: Files,
  options: OwnerOptions,
): Promise<Result<StoreOwner, KeyError | ProjectKeyError>> {
  const signer = await createSigner(home);
  if (!signer.ok) return signer;
  const publicKeys = await readPublicKeys(home);
  if (!publicKeys.ok) return publicKeys;
  const read = await readChain(home);
  if (!read.ok) return read;
  // A successor whose rotation was interrupted before it came into use is none.
  const chain = read.value.filter(({ previous }) => previous !== signer.value.publicKey);
  const found = await readProject(home);
  const key = await findProjectKey(home, options.env ?? {}, found);
  if (!key.ok) return key;
  const name = nameOf(options.folder);
  const id = found?.id ?? key.value?.project;
  return ok({
    project: { id: id ?? `prj_${randomBytes(9).toString('hex')}`, name },
    isNew: id === undefined,
    projectKey: key.value,
    takeProjectKey: (project, { make }) =>
      make ? keepProjectKey(home, newProjectKey(project)) : readProjectKey(home),
    signer: signer.value,
    publicKeys: publicKeys.value,
    keys: chain.length > 0 ? chain : [firstKey(signer.value, Date.now())],
    anchorFile: options.anchorFile,
    async keep(project) {
      if (found !== undefined) return;
      const text = `${JSON.stringify(project)}\n`;
      const written = await home.writeText(PROJECT_FILE, text, { mode: 0o600, ifMatch: 'absent' });
      if (!written.ok && written.error.code !== 'E_FILE_CHANGED') {
        process.emitWarning(`The id of the project was not kept: ${describeFileError(written.error)}`);
      }
    },
  });
}

/** Which project a home is of, and its key, as far as both are known. Nothing is made. */
export async function projectOfHome(
  home: Files,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly project?: string | undefined; readonly key?: ProjectKey | undefined }> {
  const found = await readProject(home);
  const read = await findProjectKey(home, env, found);
  const key = read.ok ? read.value : undefined;
  return { project: found?.id ?? key?.project, key };
}

/** The key that the environment hands in, or that the home has. One of another project than the home's is refused. */
async function findProjectKey(
  home: Files,
  env: Readonly<Record<string, string | undefined>>,
  found: Project | undefined,
): Promise<Result<ProjectKey | undefined, KeyError | ProjectKeyError>> {
  const text = env[PROJECT_KEY_VARIABLE];
  const handed = text ? parseProjectKey(text) : undefined;
  if (text && handed === undefined) return fail({ code: 'E_JOURNAL_PROJECT_KEY', reason: 'malformed' });
  const kept = handed === undefined ? await readProjectKey(home) : ok(handed);
  if (!kept.ok || kept.value === undefined || found === undefined) return kept;
  const isOther = kept.value.project !== found.id;
  return guard('open.key', isOther) ? fail({ code: 'E_JOURNAL_PROJECT_KEY', reason: 'home' }) : kept;
}

/** The id of a home, if it has one. */
export async function readProject(home: Files): Promise<Project | undefined> {
  const text = await home.readText(PROJECT_FILE, { limit: 10_000 });
  if (!text.ok) return undefined;
  try {
    const parsed = projectSchema.safeParse(JSON.parse(text.value));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // Not ours: a new one is made beside the records that name the old.
  }
}

const projectSchema = z.object({ id: z.string().regex(PROJECT_ID), name: z.string() });

/** The last part of a path, as far as it can be shown. */
function nameOf(folder: string): string {
  const last = folder.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  return (
    last
      .replace(/[\p{C}\p{Z}]/gu, ' ')
      .trim()
      .slice(0, 60) || 'a project without a name'
  );
}
