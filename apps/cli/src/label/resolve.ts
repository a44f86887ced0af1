import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type AnyProfile, printTarget, type Target } from '@cuebook/profile';
import { nearest } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { diagnosed, Failure } from '../failure.js';
import { revisionSource } from '../git/source.js';
import type { Bench } from '../project/bench.js';
import { readLabels, type StageEntry } from './file.js';

type Labelled = Target & { readonly revision: string };

/**
 * The revision that a target names behind its `@`: the commit of its label, where the project has one of that name, and
 * otherwise what git knows by it. The sources at the commit of a label are those that were labelled.
 */
export async function resolveLabel(bench: Bench, target: Labelled, profile: AnyProfile): Promise<string> {
  const { revision, ...bare } = target;
  const labels = await readLabels(bench.files);
  if (!Object.hasOwn(labels, revision)) return revision;
  const targets = labels[revision] ?? {};
  const name = printTarget(bare);
  const entry = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, Object.keys(targets));
    const advice =
      meant === undefined ? `Set it with ${hint`label set ${revision} ${name}`}` : `Did you mean ${meant}?`;
    throw new Failure('E_LABEL', `${name} has no label "${revision}". ${advice}`, { exit: 1 });
  }
  await requireSame(bench, { target: bare, profile, entry, label: revision });
  return entry.commit;
}

interface Pinned {
  readonly target: Target;
  readonly profile: AnyProfile;
  readonly entry: StageEntry;
  readonly label: string;
}

async function requireSame(bench: Bench, { target, profile, entry, label }: Pinned): Promise<void> {
  const hash = await hashAt(bench, { target, profile, commit: entry.commit });
  if (guard('label.hash', hash !== entry.hash)) {
    const message = `The sources of ${printTarget(target)} at the commit of "${label}" are not those that were labelled`;
    throw new Failure('E_LABEL', message, { exit: 1 });
  }
}

/** The hash of the files that a target is made of, as of a commit. */
export async function hashAt(
  bench: Bench,
  {
    target,
    profile,
    commit,
  }: { readonly target: Target; readonly profile: AnyProfile; readonly commit: string },
): Promise<string> {
  const source = await revisionSource(bench.folder, commit);
  const loaded = await profile.load(source, target.name);
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  return hashOf(bench, source, profile.files?.(loaded.value) ?? []);
}

async function hashOf({ hash }: Bench, source: TextSource, files: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const file of [...new Set(files)].sort()) {
    const text = await source.readText(file);
    lines.push(JSON.stringify([file, text.ok ? hash(text.value) : null]));
  }
  return hash(lines.join('\n'));
}
