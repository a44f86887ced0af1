import { describeFileError, type TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { Loaded } from '@cuebook/profile';
import { type Diagnostic, hasErrors, nearest, ok } from '@cuebook/prompt';
import { isRoleName, ROLE_FOLDER, roleFile, roleOfFile } from './name.js';
import { readPreamble } from './preamble.js';
import { SHIPPED_ROLES } from './shipped.js';
import type { RoleTemplate } from './template.js';

/** Bytes of a template that are taken: more is not a role but a book. */
export const MAX_ROLE_CHARS = 64 * 1024;

/**
 * The template of a name: the repository's `docs/templates/NAME.md` first, then the shipped one. A file that is
 * there and cannot be used is an error, never silently the shipped text.
 */
export async function loadRole(repository: TextSource, name: string): Promise<Loaded<RoleTemplate>> {
  const found = await readRole(repository, name);
  return found.ok ? parseRole(name, found.value) : found;
}

/** A template that was read and not looked into. */
export type RoleText = Pick<RoleTemplate, 'file' | 'text' | 'source'>;

/** The text of a name. `folder`, if it was looked into already, spares a look for a file that is not there. */
export async function readRole(
  repository: TextSource,
  name: string,
  folder?: RoleFolder,
): Promise<{ readonly ok: true; readonly value: RoleText } | Refused> {
  if (!isRoleName(name))
    return refused('E_ROLE_NAME', `${JSON.stringify(name.slice(0, 80))} cannot name a role template`);
  const file = roleFile(name);
  if (folder?.mayHave(file) !== false) {
    const text = await repository.readText(file);
    if (text.ok) return ok({ file, text: text.value, source: 'repository' });
    if (text.error.code !== 'E_FILE_NOT_FOUND' && text.error.code !== 'E_NOT_A_DIRECTORY')
      return refused(text.error.code, describeFileError(text.error), file);
  }
  const shipped = findShipped(name);
  if (!guard('role.unknown', shipped === ''))
    return ok({ file: shippedFile(name), text: shipped, source: 'shipped' });
  const known = await findRoles(repository);
  const meant = nearest(name, known);
  const hint = meant === undefined ? `There are: ${known.join(', ')}` : `Did you mean "${meant}"?`;
  return refused('E_ROLE_UNKNOWN', `No role template is called "${name}". ${hint}`);
}

/** The folder of a repository's templates, as it was at one look. */
export interface RoleFolder {
  /** The names of the templates in it, sorted. */
  readonly own: readonly string[];
  /** False: no file of that path was there, however the disk compares names. */
  mayHave(file: string): boolean;
}

export async function lookForRoles(repository: TextSource): Promise<RoleFolder> {
  const listing = await repository.list(ROLE_FOLDER);
  if (!listing.ok) {
    const { code } = listing.error;
    const isNone = code === 'E_FILE_NOT_FOUND' || code === 'E_NOT_A_DIRECTORY';
    return { own: [], mayHave: () => !isNone };
  }
  const { entries, truncated } = listing.value;
  const files = new Set(entries.map(({ name }) => spelling(`${ROLE_FOLDER}/${name}`)));
  const own = entries
    .filter(({ kind }) => kind === 'file')
    .flatMap(({ name }) => roleOfFile(`${ROLE_FOLDER}/${name}`) ?? [])
    .sort();
  return { own, mayHave: (file) => truncated || files.has(spelling(file)) };
}

/** Some disks find a file by another spelling of its name. */
const spelling = (path: string): string => path.normalize('NFKC').toLowerCase();

/** The names of all templates, the repository's and the shipped ones, sorted. */
export const findRoles = async (repository: TextSource): Promise<readonly string[]> =>
  namesWith(await lookForRoles(repository));

/** The names of a folder's templates and of the shipped ones, sorted. */
export const namesWith = ({ own }: RoleFolder): readonly string[] =>
  [...new Set([...own, ...Object.keys(SHIPPED_ROLES)])].sort();

/** The names of the repository's own templates, sorted. A folder that is not there has none. */
export const ownRoles = async (repository: TextSource): Promise<readonly string[]> =>
  (await lookForRoles(repository)).own;

/** A text as a template, or what keeps it from being one. */
export function parseRole(name: string, given: RoleText): Loaded<RoleTemplate> {
  if (given.text.length > MAX_ROLE_CHARS)
    return refused('E_ROLE', `The template is longer than ${MAX_ROLE_CHARS} characters`, given.file);
  if (given.text.trim() === '') return refused('E_ROLE', 'The template is empty', given.file);
  const { preamble, diagnostics } = readPreamble(name, given.file, given.text);
  const value = { ...preamble, ...given };
  return hasErrors(diagnostics)
    ? { ok: false, diagnostics, partial: value }
    : { ok: true, value, diagnostics };
}

/** How origins name a shipped template. */
export const shippedFile = (name: string): string => `cuebook:team/roles/${name}.md`;

/** Empty when there is none. */
const findShipped = (name: string): string =>
  Object.hasOwn(SHIPPED_ROLES, name) ? SHIPPED_ROLES[name as keyof typeof SHIPPED_ROLES] : '';

interface Refused {
  readonly ok: false;
  readonly diagnostics: readonly Diagnostic[];
}

function refused(code: string, message: string, file?: string): Refused {
  const place = file === undefined ? {} : { file, line: 1, column: 1 };
  return { ok: false, diagnostics: [{ code, severity: 'error', message, ...place }] };
}
