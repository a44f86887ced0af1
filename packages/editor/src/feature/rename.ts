import { guard } from '@cuebook/guard';
import type { NameIndex, PlacedName } from '../names/name-index.js';
import type { NameKind } from '../names/name-use.js';
import { CALLABLE } from '../names/other-names.js';
import type { EditorProject } from '../project.js';
import type { TextRange } from '../text/lines.js';
import type { FileEdit } from './edit.js';

/** The edits of a renaming, or why it cannot be done. */
export type RenameResult =
  | { readonly ok: true; readonly edits: readonly FileEdit[] }
  | { readonly ok: false; readonly why: string };

/** The name at a place that can be changed. */
export async function renameAt(
  project: EditorProject,
  file: string,
  offset: number,
): Promise<{ readonly name: string; readonly range: TextRange } | undefined> {
  const found = await nameToChange(project, file, offset);
  if (found === undefined || !found.kinds.some((kind) => kind in GRAMMARS)) return undefined;
  const same = (await project.names()).same(found);
  if (!same.some(({ isDefinition }) => isDefinition)) return undefined;
  return { name: shownName(found), range: found.range };
}

/** Changes a name everywhere it means the same, the names of files included. */
export async function renameTo(
  project: EditorProject,
  file: string,
  offset: number,
  name: string,
): Promise<RenameResult> {
  const index = await project.names();
  const found = await nameToChange(project, file, offset);
  if (found === undefined) return no('There is no name here that can be changed');
  const same = index.same(found);
  const definition = same.find(({ isDefinition }) => isDefinition);
  const kind = (definition ?? found).kinds[0] as NameKind;
  const grammar = GRAMMARS[kind];
  if (grammar === undefined) return no(`A ${kind} cannot be renamed here`);
  if (definition === undefined)
    return no(`The ${kind} "${shownName(found)}" is defined nowhere in this project`);
  if (!grammar.test(name)) return no(`"${name.slice(0, 80)}" cannot be the name of a ${kind}`);
  if (name === shownName(found)) return { ok: true, edits: [] };
  const full = fullName(definition, name);
  if (guard('editor.taken', isTaken(index, same, { ...definition, name: full })))
    return no(`A ${kind} called "${name}" is there already`);
  const edits = same.flatMap((each): readonly FileEdit[] => {
    if (each.isFile === true) return [{ kind: 'move', file: each.file, to: movedFile(each, name) }];
    return [{ kind: 'replace', file: each.file, range: each.range, text: name }];
  });
  const own = await filesOfDefinition(project, definition);
  const moves = own.map(
    (each): FileEdit => ({ kind: 'move', file: each, to: renamedStem(each, definition.name, name) }),
  );
  for (const { to } of moves.filter((each) => each.kind === 'move'))
    if (guard('editor.taken', (await project.text(to)) !== undefined)) return no(`${to} is there already`);
  edits.push(...moves);
  // Moves come last: replacements name files as they are.
  return { ok: true, edits: [...edits.filter(isReplace), ...edits.filter((each) => !isReplace(each))] };
}

/**
 * The files that are called like a definition and go with it: its own, and the tests beside it, which are about the
 * definition of their name.
 */
async function filesOfDefinition(project: EditorProject, definition: PlacedName): Promise<readonly string[]> {
  const [, folder, stem, ending] = /^(agents\/[a-z]+s\/)([^/]+)(\.m?[jt]s)$/.exec(definition.file) ?? [];
  if (folder === undefined || stem !== definition.name) return [];
  const beside = ['.test.yaml', '.test.yml', ...(definition.isFile === true ? [] : [ending as string])];
  const found: string[] = [];
  for (const each of beside)
    if ((await project.text(`${folder}${stem}${each}`)) !== undefined) found.push(`${folder}${stem}${each}`);
  return found;
}

const renamedStem = (file: string, from: string, to: string): string => {
  const at = file.lastIndexOf('/') + 1;
  return `${file.slice(0, at)}${to}${file.slice(at + from.length)}`;
};

const no = (why: string): RenameResult => ({ ok: false, why });
const isReplace = ({ kind }: FileEdit): boolean => kind === 'replace';

async function nameToChange(
  project: EditorProject,
  file: string,
  offset: number,
): Promise<PlacedName | undefined> {
  const index = await project.names();
  return index.at(file, offset) ?? index.of(file).find(({ isFile }) => isFile === true);
}

/** Providers take no other names of tools, and a prompt or an agent may be one. */
const DEFINITION = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** What a name of each kind may be. Kinds that are left out cannot be renamed. */
const GRAMMARS: Partial<Readonly<Record<NameKind, RegExp>>> = {
  text: /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/,
  input: /^[A-Za-z][\w]*$/,
  role: /^[A-Za-z0-9_-]{1,64}$/,
  alias: /^[A-Za-z0-9_-]{1,64}$/,
  step: /^[A-Za-z0-9_-]{1,64}$/,
  speaker: /^[A-Za-z0-9_-]{1,64}$/,
  fragment: /^[-._a-zA-Z0-9]{1,253}$/,
  prompt: DEFINITION,
  agent: DEFINITION,
  model: DEFINITION,
  tool: DEFINITION,
  hook: DEFINITION,
};

/** Of a fragment the key is shown, which stands behind a blank. */
const shownName = ({ kinds, name }: Pick<PlacedName, 'kinds' | 'name'>): string =>
  kinds[0] === 'fragment' ? name.slice(name.indexOf(' ') + 1) : name;

const fullName = ({ kinds, name }: PlacedName, to: string): string =>
  kinds[0] === 'fragment' ? `${name.slice(0, name.indexOf(' '))} ${to}` : to;

/** Whether something else has the name where it would stand. */
function isTaken(index: NameIndex, same: readonly PlacedName[], definition: PlacedName): boolean {
  const scopes = new Set(same.map(({ scope }) => scope));
  const [kind] = definition.kinds as readonly [NameKind];
  // Tools, prompts and agents are called by one kind of name.
  const kinds = CALLABLE.includes(kind) ? CALLABLE : [kind];
  return [...scopes].some((scope) => kinds.some((each) => index.all(each, scope).includes(definition.name)));
}

const movedFile = ({ file, name }: PlacedName, to: string): string => {
  const ending = /\.[a-z]+$/.exec(file)?.[0] ?? '';
  return `${file.slice(0, file.length - ending.length - name.length)}${to}${ending}`;
};
