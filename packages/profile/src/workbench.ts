import type { TextSource } from '@cuebook/files';
import {
  composeRequest,
  type Diagnostic,
  describeRefusal,
  type GatedRequest,
  type Hash,
  hasErrors,
  nearest,
  type Prompt,
  type RedactionKind,
  type Redactor,
  type Refusal,
} from '@cuebook/prompt';
import { hiddenInBlocks } from './hidden-text.js';
import type { AnyProfile, Composition, Loaded } from './profile.js';
import { parseTarget, printTarget, type Target } from './target.js';
import { watchedSource } from './watched-source.js';

/** Everything composing needs that is not the target: profiles, the project, and what is handed in. */
export interface Workbench {
  readonly profiles: readonly AnyProfile[];
  readonly project: TextSource;
  readonly hash: Hash;
  readonly redactor: Redactor;
}

/** A target composed and gated, ready to be shown or sent. */
export interface ComposedTarget extends Composition {
  readonly target: string;
  readonly prompt: Prompt;
  /** The same, as a provider takes it. */
  readonly request: GatedRequest;
  /** Warnings: whatever is an error keeps a target from being composed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A composed target, or all that is wrong with it. */
export type TargetResult =
  | { readonly ok: true; readonly value: ComposedTarget }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * The main flow up to the gates: load, check, compose, gate. Without `input` the profile's own sample stands
 * in, which is how targets are checked and compared when nobody called them.
 */
export async function composeTarget(bench: Workbench, text: string, input?: unknown): Promise<TargetResult> {
  const found = requireProfile(bench.profiles, text);
  if (!found.ok) return found;
  const { profile, target } = found;
  const { loaded, hidden } = await loadWatched(bench, profile, target.name);
  if (!loaded.ok) return { ok: false, diagnostics: [...loaded.diagnostics, ...[...hidden.values()].flat()] };
  const diagnostics = [...loaded.diagnostics, ...[...hidden.values()].flat(), ...profile.check(loaded.value)];
  const parsed = profile.input.safeParse(input ?? profile.sample(loaded.value));
  if (!parsed.success) {
    diagnostics.push(...parsed.error.issues.map(({ path, message }) => inputError(path, message)));
    return { ok: false, diagnostics };
  }
  if (hasErrors(diagnostics)) return { ok: false, diagnostics };
  const composed = profile.compose(loaded.value, parsed.data);
  if (!composed.ok) return { ok: false, diagnostics: [...diagnostics, ...composed.diagnostics] };
  const { hash, redactor } = bench;
  const { blocks, capabilities } = composed.value;
  const request = composeRequest({ ...composed.value, hash, redactor });
  if (!request.ok) return { ok: false, diagnostics: [...diagnostics, ...request.error.map(fromRefusal)] };
  const { prompt, tools, params, removed } = request.value;
  return {
    ok: true,
    value: {
      blocks,
      tools,
      params,
      capabilities,
      target: printTarget(target),
      prompt,
      request: request.value,
      diagnostics: [
        ...diagnostics,
        ...hiddenInBlocks(prompt.blocks, (file) => (hidden.get(file)?.length ?? 0) > 0),
        ...removed.map(removedBeside),
      ],
    },
  };
}

/** A target's sources, and what is hidden in the texts that they were read from. */
async function loadWatched(
  { project }: Pick<Workbench, 'project'>,
  profile: AnyProfile,
  name: string,
): Promise<{
  readonly loaded: Loaded<unknown>;
  readonly hidden: ReadonlyMap<string, readonly Diagnostic[]>;
}> {
  const watched = watchedSource(project);
  const watch = watched.watch();
  const loaded = await profile.load(watched.source, name);
  return { loaded, hidden: watch.stop() };
}

const removedBeside = (kind: RedactionKind): Diagnostic => ({
  code: 'W_REDACTED',
  severity: 'warning',
  message: `A ${kind} was taken out of the tools or parameters`,
});

/** Every target of the project, as `prefix:name`, profile by profile. */
export async function findTargets(
  bench: Pick<Workbench, 'profiles' | 'project'>,
): Promise<readonly string[]> {
  const { source } = watchedSource(bench.project);
  const names = await Promise.all(
    bench.profiles.map(async ({ prefix, find }) => (await find(source)).map((name) => `${prefix}:${name}`)),
  );
  return names.flat();
}

/** Problems of the project that belong to no target, profile by profile. */
export async function findProblems(
  bench: Pick<Workbench, 'profiles' | 'project'>,
): Promise<readonly Diagnostic[]> {
  const { source } = watchedSource(bench.project);
  const found = await Promise.all(bench.profiles.map(({ problems }) => problems?.(source) ?? []));
  return found.flat();
}

type FoundProfile =
  | { readonly ok: true; readonly profile: AnyProfile; readonly target: Target }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The profile that a target names, or a diagnostic that suggests the nearest one. */
export function requireProfile(profiles: readonly AnyProfile[], text: string): FoundProfile {
  const target = parseTarget(text);
  const prefixes = profiles.map(({ prefix }) => prefix);
  if (target === undefined) {
    return refuse(
      `"${text}" is not a target. A target is written ${prefixes.map((each) => `${each}:NAME`).join(' or ')}`,
    );
  }
  const profile = profiles.find(({ prefix }) => prefix === target.prefix);
  if (profile !== undefined) return { ok: true, profile, target };
  const meant = nearest(target.prefix, prefixes);
  const hint =
    meant === undefined ? `Known kinds: ${prefixes.join(', ')}` : `Did you mean ${meant}:${target.name}?`;
  return refuse(`No kind of target is called "${target.prefix}". ${hint}`);
}

const refuse = (message: string): FoundProfile => ({
  ok: false,
  diagnostics: [{ code: 'E_TARGET', severity: 'error', message }],
});

const inputError = (path: readonly PropertyKey[], message: string): Diagnostic => ({
  code: 'E_INPUT',
  severity: 'error',
  message: `Input ${path.join('.')}: ${message}`,
  path: path.join('.'),
});

function fromRefusal(refusal: Refusal): Diagnostic {
  const { ref, line, column, kind } = refusal.origin;
  return {
    code: refusal.code,
    severity: 'error',
    message: describeRefusal(refusal),
    path: `block ${refusal.block}`,
    ...(kind === 'file' ? { file: ref } : {}),
    ...(kind === 'file' && line !== undefined ? { line } : {}),
    ...(kind === 'file' && column !== undefined ? { column } : {}),
  };
}
