import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type Diagnostic, type Hash, nearest } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import type { AnyProfile } from '../profile.js';
import { printTarget, type Target } from '../target.js';
import { type Diagnosed, readLabels, type StageEntry } from './file.js';

/** What labels are resolved with. */
export interface LabelGround {
  /** The project as it is now: its labels are those of now. */
  readonly files: Pick<TextSource, 'readText'>;
  readonly hash: Hash;
  /** The project's texts as of what git knows by a name. */
  readonly sourceAt: (revision: string) => Promise<Diagnosed<CommitTexts>>;
}

/** The texts of a commit, and its full id. */
export interface CommitTexts {
  readonly source: TextSource;
  readonly commit: string;
}

/** A target of a project, and the profile of its kind. */
export interface LabelledTarget {
  readonly target: Target;
  readonly profile: AnyProfile;
}

/**
 * The texts that a target with a revision is made of: those of the commit of its label, where the project has one of that
 * name, and otherwise of what git knows by it. Every way to name a target resolves it so.
 */
export async function revisionOf(
  ground: LabelGround,
  { target, profile }: LabelledTarget,
): Promise<Diagnosed<CommitTexts>> {
  const found = await resolveLabel(ground, { target, profile });
  return found.ok ? ground.sourceAt(found.value) : found;
}

/**
 * The revision that a target names behind its `@`: the commit of its label, or the name itself, which is git's then. The
 * sources at the commit of a label are those that were labelled.
 */
export async function resolveLabel(
  ground: LabelGround,
  { target, profile }: LabelledTarget,
): Promise<Diagnosed<string>> {
  const { revision = '', ...bare } = target;
  const labels = await readLabels(ground.files);
  if (!labels.ok) return labels;
  if (!Object.hasOwn(labels.value, revision)) return { ok: true, value: revision };
  const targets = labels.value[revision] ?? {};
  const name = printTarget(bare);
  const entry: StageEntry | undefined = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, Object.keys(targets));
    const advice =
      meant === undefined ? `Set it with ${hint`label set ${revision} ${name}`}` : `Did you mean ${meant}?`;
    return refuse(`${name} has no label "${revision}". ${advice}`);
  }
  const hash = await hashAt(ground, { target: bare, profile, commit: entry.commit });
  if (!hash.ok) return hash;
  if (guard('label.hash', hash.value !== entry.hash))
    return refuse(`The sources of ${name} at the commit of "${revision}" are not those that were labelled`);
  return { ok: true, value: entry.commit };
}

const refuse = (message: string): Diagnosed<never> => {
  const diagnostic: Diagnostic = { code: 'E_LABEL', severity: 'error', message };
  return { ok: false, diagnostics: [diagnostic] };
};

/** The hash of the files that a target is made of, as of a commit. */
export async function hashAt(
  { hash, sourceAt }: Pick<LabelGround, 'hash' | 'sourceAt'>,
  { target, profile, commit }: LabelledTarget & { readonly commit: string },
): Promise<Diagnosed<string>> {
  const texts = await sourceAt(commit);
  if (!texts.ok) return texts;
  const { source } = texts.value;
  const loaded = await profile.load(source, target.name);
  if (!loaded.ok) return { ok: false, diagnostics: loaded.diagnostics };
  const files = profile.files?.(loaded.value) ?? [];
  const lines: string[] = [];
  for (const file of [...new Set(files)].sort()) {
    const text = await source.readText(file);
    lines.push(JSON.stringify([file, text.ok ? hash(text.value) : null]));
  }
  return { ok: true, value: hash(lines.join('\n')) };
}
