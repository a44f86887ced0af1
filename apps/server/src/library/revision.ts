import type { TextSource } from '@cuebook/files';
import {
  type AnyProfile,
  type LabelGround,
  parseTarget,
  revisionOf,
  type Target,
  type Workbench,
} from '@cuebook/profile';
import type { Diagnostic, Hash } from '@cuebook/prompt';
import { askGitIn, revisionSource } from '@cuebook/workspace/history';

/** The project that targets are of. */
export interface RevisionGround {
  readonly folder: string;
  readonly files: LabelGround['files'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hash: Hash;
}

/** The texts that a target is made of; `revision` is the one that it names. */
export type TargetTexts =
  | { readonly ok: true; readonly value: Pick<Workbench, 'project' | 'revision' | 'commit'> }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The texts of a target: those of its label or revision where it names one, else `now`. */
export async function textsOf(
  ground: RevisionGround,
  text: string,
  { profile, now }: { readonly profile: AnyProfile; readonly now: TextSource },
): Promise<TargetTexts> {
  const target: Target | undefined = parseTarget(text);
  const { revision } = target ?? {};
  if (target === undefined || revision === undefined) return { ok: true, value: { project: now } };
  const texts = await revisionOf(labelGround(ground), { target, profile });
  if (!texts.ok) return texts;
  const { source: project, commit } = texts.value;
  return { ok: true, value: { project, revision, commit } };
}

function labelGround({ folder, files, env, hash }: RevisionGround): LabelGround {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const git = askGitIn(folder, Object.fromEntries(defined));
  return {
    files,
    hash,
    async sourceAt(revision) {
      const source = await revisionSource(git, revision);
      if (source.ok) return source;
      const { code, message } = source.error;
      return { ok: false, diagnostics: [{ code, severity: 'error', message }] };
    },
  };
}
