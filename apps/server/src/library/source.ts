import type { AnswerOf, JsonValue, LIBRARY_ROUTES } from '@cuebook/api';
import type { TextSource } from '@cuebook/files';
import { type AnyProfile, checkTarget, parseTarget, watchedSource } from '@cuebook/profile';
import { fail, ok, type Result } from '@cuebook/prompt';
import { roleFile } from '@cuebook/team';
import { z } from 'zod';
import { badField, type HttpError, notFound } from '../http/error.js';
import { editedSource } from './edited-source.js';
import type { Library } from './library.js';
import { profileOf } from './profiles.js';
import { promptFile } from './prompt-file.js';

type Source = AnswerOf<(typeof LIBRARY_ROUTES)['getSource']>;

/** What a target is made of, also where it cannot be composed: then its own file is what has to be read. */
export async function sourceOf(library: Library, target: string): Promise<Result<Source, HttpError>> {
  const [kind = '', name = ''] = [
    target.slice(0, target.indexOf(':')),
    target.slice(target.indexOf(':') + 1),
  ];
  const profile = await profileOf(kind, library);
  if (profile === undefined) return fail(notFound('E_TARGET', 'There is no such kind of target.'));
  if (parseTarget(target)?.revision !== undefined)
    return fail(badField('target', 'is shown as its files are now: leave out what follows @'));
  const project = editedSource(library.files);
  const bench = { ...library, profiles: [profile], project };
  const checked = await checkTarget(bench, target);
  const own = OWN_FILE[kind]?.(name);
  const paths = new Set([...(own === undefined ? [] : [own]), ...checked.files]);
  const files: Source['files'] = [];
  for (const path of paths) {
    const read = await library.files.readDocument(path);
    if (!read.ok) continue;
    const { path: clean, text, sha256 } = read.value;
    files.push({ path: clean, text, sha256, editable: (await promptFile(library.files, clean)) === clean });
  }
  return ok({
    target,
    files,
    inputs: inputsOf(profile),
    sample: await sampleOf(project, profile, name),
    diagnostics: [...checked.diagnostics],
  });
}

/** Where targets of a kind are written. */
const OWN_FILE: Readonly<Record<string, (name: string) => string>> = {
  sheet: (name) => `sheets/${name}.yaml`,
  role: roleFile,
  team: (name) => name,
};

function inputsOf({ input }: AnyProfile): Source['inputs'] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return properties as Source['inputs'];
}

/** Loaded from the source that the check has read from: definitions keep what they have loaded by it. */
async function sampleOf(project: TextSource, profile: AnyProfile, name: string): Promise<Source['sample']> {
  const loaded = await profile.load(watchedSource(project).source, name);
  const source = loaded.ok ? loaded.value : loaded.partial;
  return source === undefined
    ? {}
    : (JSON.parse(JSON.stringify(profile.sample(source))) as Record<string, JsonValue>);
}
