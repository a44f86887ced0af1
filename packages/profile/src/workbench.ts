import { setImmediate as turn } from 'node:timers/promises';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import {
  type BlockInput,
  composeRequest,
  type Diagnostic,
  describeRefusal,
  type GatedRequest,
  type Hash,
  hasErrors,
  type JsonValue,
  nearest,
  type Prompt,
  type RedactionKind,
  type Redactor,
  type Refusal,
} from '@cuebook/prompt';
import { hiddenInBlocks } from './hidden-text.js';
import { lookAt } from './look.js';
import type { AnyProfile, ComposeHow, Composition, Loaded } from './profile.js';
import { removedFrom } from './removed.js';
import { parseTarget, printTarget, type Target } from './target.js';
import { watchedSource } from './watched-source.js';

/** Everything composing needs that is not the target: profiles, the project, and what is handed in. */
export interface Workbench {
  readonly profiles: readonly AnyProfile[];
  readonly project: TextSource;
  /** The revision that the texts are of; left out: they are those of now. */
  readonly revision?: string;
  /** The full id of the commit of that revision. */
  readonly commit?: string;
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
export async function composeTarget(
  bench: Workbench,
  text: string,
  input?: unknown,
  how: Pick<ComposeHow, 'isStranger'> = {},
): Promise<TargetResult> {
  const found = requireOnBench(bench, text);
  if (!found.ok) return found;
  const { profile, target } = found;
  const walk = await walkThrough(bench, found, input, how);
  const { loaded, checked, refused, made } = walk;
  const further = profile.checksFurther === true;
  const isBlocked = hasErrors(loaded) || (!further && hasErrors(checked));
  if (made === undefined || isBlocked) {
    return { ok: false, diagnostics: [...loaded, ...checked, ...refused] };
  }
  const told = further ? checked.filter(({ severity }) => severity === 'warning') : checked;
  const { tools, params, prompt } = made.request;
  const { meta } = made.composition;
  return {
    ok: true,
    value: {
      ...made.composition,
      ...(meta === undefined ? {} : { meta: shownMeta(meta, bench.redactor) }),
      tools,
      params,
      target: printTarget(target),
      prompt,
      request: made.request,
      diagnostics: [...loaded, ...told, ...ofRequest(made.request, walk.isKnown)],
    },
  };
}

/** Notes are for people: what is private here is not told in them either. */
const shownMeta = (meta: Notes, redactor: Redactor): Notes =>
  redactor.redactValue(meta as unknown as JsonValue).value as unknown as Notes;

type Notes = NonNullable<Composition['meta']>;

/** All that can be said of a target at once, and what it is made of. */
export interface CheckedTarget {
  readonly diagnostics: readonly Diagnostic[];
  /** The files that it is made of, as far as they are known. */
  readonly files: readonly string[];
  /** What it is composed of with its author's examples; nothing where it cannot be. */
  readonly blocks: readonly BlockInput[];
}

/**
 * Everything that is wrong with a target, in one look: whatever could be loaded is checked, composed with its author's
 * examples and gated, also when something else is wrong with it.
 */
export async function checkTarget(bench: Workbench, text: string): Promise<CheckedTarget> {
  const found = requireOnBench(bench, text);
  if (!found.ok) return { diagnostics: found.diagnostics, files: [], blocks: [] };
  const { profile } = found;
  const { source, loaded, checked, refused, made, isKnown } = await walkThrough(bench, found);
  if (source === undefined) return { diagnostics: loaded, files: [], blocks: [] };
  const seen = lookAt(profile.texts?.(source) ?? [], bench.redactor);
  const ofPrompt = made === undefined ? [] : ofRequest(made.request, isKnown, seen);
  return {
    diagnostics: [...loaded, ...checked, ...seen, ...ofPrompt, ...refused],
    files: profile.files?.(source) ?? [],
    blocks: made?.composition.blocks ?? [],
  };
}

/** The profile of a target whose texts are on the bench: words of now never pass for those of a revision. */
function requireOnBench({ profiles, revision }: Workbench, text: string): FoundProfile {
  const found = requireProfile(profiles, text);
  const named = found.ok ? found.target.revision : undefined;
  if (!guard('compose.revision', named !== undefined && named !== revision)) return found;
  const message = `"${text}" names a revision, and this works on the project as it is: leave out what follows @`;
  return { ok: false, diagnostics: [{ code: 'E_REVISION', severity: 'error', message }] };
}

/** How far a target came, and all that was found on the way. */
interface Walk {
  /** Whole or in part; undefined when nothing could be read. */
  readonly source?: unknown;
  readonly loaded: readonly Diagnostic[];
  readonly checked: readonly Diagnostic[];
  /** Why it cannot be composed or sent. */
  readonly refused: readonly Diagnostic[];
  readonly made?: Made;
  /** Whether a file is known to hold hidden text. */
  readonly isKnown: (file: string) => boolean;
}

interface Made {
  readonly composition: Composition;
  readonly request: GatedRequest;
}

/** No step stops at an error of the one before, so that nothing is hidden by something else. */
async function walkThrough(
  bench: Workbench,
  { profile, target }: Extract<FoundProfile, { readonly ok: true }>,
  input?: unknown,
  how: ComposeHow = {},
): Promise<Walk> {
  // Whoever walks through many targets hears a signal between two of them.
  await turn();
  const { loading, hidden, isKnown } = await loadWatched(bench, profile, target.name);
  const loaded = [...loading.diagnostics, ...hidden];
  const source = loading.ok ? loading.value : loading.partial;
  if (source === undefined) return { loaded, checked: [], refused: [], isKnown };
  const checked = profile.check(source);
  const { refused, made } = make(bench, profile, source, { input, how });
  const news = refused.filter((each) => !isTold(each, [...loaded, ...checked], profile));
  return { source, loaded, checked, refused: news, ...(made === undefined ? {} : { made }), isKnown };
}

/**
 * A target's sources, and what is hidden in the texts that they were read from: now, or before by a profile that keeps
 * what it has loaded.
 */
async function loadWatched(
  { project }: Pick<Workbench, 'project'>,
  profile: AnyProfile,
  name: string,
): Promise<{
  readonly loading: Loaded<unknown>;
  readonly hidden: readonly Diagnostic[];
  readonly isKnown: (file: string) => boolean;
}> {
  const { source, watch, hiddenIn } = watchedSource(project);
  const watched = watch();
  const loading = await profile.load(source, name);
  const read = watched.stop();
  const loaded = loading.ok ? loading.value : loading.partial;
  const files = loaded === undefined ? [] : (profile.files?.(loaded) ?? []);
  const hidden = [...new Set([...read, ...files])].flatMap(hiddenIn);
  return { loading, hidden, isKnown: (file) => hiddenIn(file).length > 0 };
}

/** Composes and gates a source. */
function make(
  { hash, redactor }: Workbench,
  profile: AnyProfile,
  source: unknown,
  { input, how }: { readonly input: unknown; readonly how: ComposeHow },
): { readonly refused: readonly Diagnostic[]; readonly made?: Made } {
  const parsed = profile.input.safeParse(input ?? profile.sample(source));
  if (!parsed.success) {
    return { refused: parsed.error.issues.map(({ path, message }) => inputError(path, message)) };
  }
  const composed = profile.compose(source, parsed.data, { ...how, isSample: input === undefined });
  const composition = composed.ok ? composed.value : composed.partial;
  if (composition === undefined) return { refused: composed.ok ? [] : composed.diagnostics };
  const request = composeRequest({ ...composition, hash, redactor });
  const refusals = request.ok ? [] : request.error.map(fromRefusal);
  if (!composed.ok) return { refused: [...composed.diagnostics, ...refusals] };
  if (!request.ok) return { refused: refusals };
  return { refused: [], made: { composition: composed.value, request: request.value } };
}

/**
 * Whether a look before composing has told of the same: under its code, or at its place. What says neither where nor in
 * which block it is follows from what was told.
 */
function isTold(refused: Diagnostic, told: readonly Diagnostic[], profile: AnyProfile): boolean {
  const { code, file, line, column, path } = refused;
  const { checksFurther, foretells = [] } = profile;
  return told.some((each) => {
    if (each.severity !== 'error') return false;
    if (each.code === code && foretells.includes(code)) return true;
    if (file === undefined) return each.code === code || (path === undefined && code !== 'E_INPUT');
    if (each.file !== file || each.line !== line) return false;
    return checksFurther === true || each.code === code || each.column === column;
  });
}

/** What is said of a request that may be sent: what was shown in it, and what was taken out. */
const ofRequest = (
  { prompt, removed }: GatedRequest,
  isKnown: (file: string) => boolean,
  told: readonly Diagnostic[] = [],
): readonly Diagnostic[] => [
  ...hiddenInBlocks(prompt.blocks, isKnown),
  ...removedFrom(prompt.blocks, told),
  ...removed.map(removedBeside),
];

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

/** Problems of the project that belong to no target, profile by profile, and what is hidden in whatever was read. */
export async function findProblems(
  bench: Pick<Workbench, 'profiles' | 'project'>,
): Promise<readonly Diagnostic[]> {
  const { source, files, hiddenIn } = watchedSource(bench.project);
  const found = await Promise.all(bench.profiles.map(({ problems }) => problems?.(source) ?? []));
  return [...found.flat(), ...[...files()].flatMap(hiddenIn)];
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
  const isFile = kind === 'file' || kind === 'value';
  return {
    code: refusal.code,
    severity: 'error',
    message: describeRefusal(refusal),
    path: `block ${refusal.block}`,
    ...(isFile ? { file: ref } : {}),
    ...(isFile && line !== undefined ? { line } : {}),
    ...(isFile && column !== undefined ? { column } : {}),
  };
}
