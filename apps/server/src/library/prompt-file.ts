import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { isTeamFile, roleOfFile } from '@cuebook/team';

/**
 * The one spelling of a path, where the file is one that people write prompts in: a role template, a sheet, or a text of
 * sheets. Undefined for every other file, and where a link stands in the way: what it leads to may be anything.
 */
export async function promptFile(files: Files, path: string): Promise<string | undefined> {
  const clean = files.clean(path);
  if (!clean.ok || guard('library.path', !isPromptPath(clean.value))) return undefined;
  const place = await files.leadsTo(clean.value);
  return guard('library.link', !place.ok || place.value !== clean.value) ? undefined : clean.value;
}

/** The same for a team file that is not there yet. */
export async function newTeamFile(files: Files, path: string): Promise<string | undefined> {
  const clean = files.clean(path);
  if (!clean.ok || !isTeamFile(clean.value)) return undefined;
  const place = await files.leadsTo(clean.value);
  return place.ok && place.value === clean.value ? clean.value : undefined;
}

const isPromptPath = (path: string): boolean =>
  roleOfFile(path) !== undefined || /^sheets\/.+\.yaml$/.test(path) || /^texts\/.+\.(?:md|yaml)$/.test(path);
