import { LIBRARY_ROUTES } from '@cuebook/api';
import { describeFileError } from '@cuebook/files';
import { findProblems, findTargets, parseTarget } from '@cuebook/profile';
import { fail, ok, type Result } from '@cuebook/prompt';
import { badField, type HttpError } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { composeIn, requestOf } from '../library/compose.js';
import { editedSource } from '../library/edited-source.js';
import type { Library } from '../library/library.js';
import { listingProfiles } from '../library/profiles.js';
import { newTeamFile, promptFile } from '../library/prompt-file.js';
import { reachedBy } from '../library/reach.js';
import { sourceOf } from '../library/source.js';

/** The prompts of the project: listed, composed as `render` does, and saved. */
export const libraryRoutes = (library: Library) =>
  routeGroup(LIBRARY_ROUTES, {
    listLibrary: async () => {
      const bench = { profiles: await listingProfiles(library), project: editedSource(library.files) };
      const targets = await findTargets(bench);
      // Problems of definitions are those of a target: nobody has asked for code to run.
      const quiet = bench.profiles.filter(({ prefix }) => prefix !== 'prompt');
      return ok({
        targets: targets.map((target) => {
          const at = target.indexOf(':');
          return { target, kind: target.slice(0, at), name: target.slice(at + 1) };
        }),
        diagnostics: await findProblems({ ...bench, profiles: quiet }),
      });
    },
    getSource: ({ query: { target } }) => sourceOf(library, target),
    renderTarget: async ({ body: { target, input, edits, reveal } }) => {
      const edited = await requireEdits(library, edits);
      if (!edited.ok) return edited;
      if (edited.value.size > 0 && parseTarget(target)?.revision !== undefined)
        return fail(badField('edits', 'are of the project as it is now, and the target names a revision'));
      const given = input === undefined ? {} : { input };
      const compose = (changes?: ReadonlyMap<string, string>) =>
        composeIn(library, target, { ...given, project: editedSource(library.files, changes) });
      const now = await compose(edited.value);
      const saved = edited.value.size === 0 ? undefined : await compose();
      return ok({
        now: now.ok ? requestOf(now.value, reveal) : null,
        saved: saved?.ok ? requestOf(saved.value, reveal) : null,
        diagnostics: now.ok ? now.value.diagnostics : now.diagnostics,
      });
    },
    findReached: async ({ body: { edits } }) => {
      const edited = await requireEdits(library, edits);
      return edited.ok ? ok({ reached: await reachedBy(library, edited.value) }) : edited;
    },
    saveFile: async ({ body: { path, text, ifMatch } }) => {
      const { files, writable } = library;
      const own =
        (await promptFile(files, path)) ??
        (ifMatch === 'absent' ? await newTeamFile(files, path) : undefined);
      if (own === undefined) return fail(notPromptFile('path'));
      const before = ifMatch === 'absent' ? undefined : await files.readDocument(own);
      const mark = before?.ok && before.value.hasByteOrderMark ? '\ufeff' : '';
      const written = await writable.writeText(own, mark + text, { ifMatch });
      if (written.ok) return ok({ path: written.value.path, sha256: written.value.sha256 });
      const { code } = written.error;
      const message = code === 'E_FILE_CHANGED' ? CHANGED : describeFileError(written.error);
      return fail({ status: 409, code, message });
    },
  });

const CHANGED =
  'The file was changed, made or removed since you read it. Nothing was written. Read it again and bring both together.';

/** Edits by the one spelling of their paths. */
async function requireEdits(
  { files }: Library,
  edits: readonly { readonly path: string; readonly text: string }[],
): Promise<Result<ReadonlyMap<string, string>, HttpError>> {
  const found = new Map<string, string>();
  for (const [index, { path, text }] of edits.entries()) {
    const own = await promptFile(files, path);
    if (own === undefined) return fail(notPromptFile(`edits.${index}.path`));
    found.set(own, text);
  }
  return ok(found);
}

const notPromptFile = (field: string): HttpError =>
  badField(field, 'is no role template (docs/templates/), no sheet (sheets/) and no text of sheets (texts/)');
