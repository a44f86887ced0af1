import {
  type AnyProfile,
  type ComposedTarget,
  composeTarget,
  findTargets,
  printTarget,
  requireProfile,
  revisionOf,
  type Target,
} from '@cuebook/profile';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { isLive } from '../cluster/is-live.js';
import { type Call, type Flags, flagValue, flagValues } from '../command.js';
import { diagnosed, type Failure, usage } from '../failure.js';
import { readInput } from '../input/flags.js';
import type { Io } from '../io.js';
import { type Bench, benchOver, kindsOf, openBench, openBenchAt } from './bench.js';
import { isWorkflow, workflowFolder } from './workflow-folder.js';

/** A target of a call, and the bench to compose it on: that of its revision when it names one. */
export interface CalledTarget {
  readonly text: string;
  readonly target: Target;
  readonly profile: AnyProfile;
  readonly bench: Bench;
}

/** Opens what a call works on: a target of the project, or with `-f` an Agent of manifests. */
export async function openCalled({
  args,
  flags,
  io,
}: Pick<Call, 'args' | 'flags' | 'io'>): Promise<CalledTarget> {
  const [text] = args;
  const files = flagValues(flags, 'file');
  if (isLive({ args, flags })) {
    const { openLiveCalled } = await import('../cluster/live.js');
    return (await openLiveCalled({ args, flags, io })).called;
  }
  if (files.length > 0) {
    if (text !== undefined) throw usage(`-f names the manifests, so ${text} cannot be a target too`);
    const { openManifests, requireAgent } = await import('./manifests.js');
    const bench = await openManifests(files, flags, io);
    return requireTarget(bench, await requireAgent(bench, flagValue(flags, 'agent')));
  }
  if (flags.agent !== undefined) throw usage('--agent names an Agent of manifests: give them with -f');
  if (text === undefined) throw usage(`Missing target: ${await namesOfTargets(flags, io)}`);
  if (isWorkflow(text)) {
    const { workflowBench } = await import('./workflows.js');
    const outer = await openBenchAt(await workflowFolder(flags, io), io, kindsOf(text));
    const opened = await workflowBench(outer, text, io, { asks: true });
    return requireTarget(opened.bench, opened.text);
  }
  const bench = await openBench(flags, io, kindsOf(text));
  const { listsServers, servedBench } = await import('./servers.js');
  return requireTarget(listsServers(text) ? await servedBench(bench, io) : bench, text);
}

/** What could be named: the targets of the project, or an example where there is none. */
async function namesOfTargets(flags: Flags, io: Io): Promise<string> {
  const targets = await openBench(flags, io).then(findTargets, () => []);
  if (targets.length === 0) return 'name one, such as sheet:review, or manifests with -f';
  const more = targets.length - NAMED;
  return `name one of ${targets.slice(0, NAMED).join(', ')}${more > 0 ? ` (and ${more} more)` : ''}, or manifests with -f`;
}

/** A sentence has room for so many targets. */
const NAMED = 8;

/** Reads the target that a call names. */
export async function requireTarget(bench: Bench, text: string): Promise<CalledTarget> {
  const found = requireProfile(bench.profiles, text);
  if (!found.ok) throw (await meantTarget(bench, text)) ?? diagnosed(found.diagnostics);
  const { target, profile } = found;
  if (target.revision === undefined) return { text: printTarget(target), target, profile, bench };
  const { labelGround, requireDiagnosed } = await import('../label/ground.js');
  const { source, commit } = requireDiagnosed(await revisionOf(labelGround(bench), { target, profile }));
  return {
    text: printTarget(target),
    target,
    profile,
    bench: benchOver(bench, source, { revision: target.revision, commit }),
  };
}

/** A name without its kind, mistyped or not, most likely means the target of that name. */
async function meantTarget(bench: Bench, text: string): Promise<Failure | undefined> {
  if (text.includes(':')) return undefined;
  const targets = new Map(
    (await findTargets(bench)).map((each) => [each.slice(each.indexOf(':') + 1), each]),
  );
  const meant = targets.get(nearest(text, targets.keys()) ?? '');
  if (meant === undefined) return undefined;
  const message = `"${text}" is not a target. Did you mean ${meant}?`;
  return diagnosed([{ code: 'E_TARGET', severity: 'error', message }]);
}

/** A composed target that may be shown: what is wrong with it has become a failure. */
export async function composeCalled(called: CalledTarget, flags: Flags, io: Io): Promise<ComposedTarget> {
  return composeWith(called, await readInput(called.profile, flags, io));
}

/**
 * Composes with the input given. Without any, the author's examples stand in, and a warning says so: a
 * request that holds example text must not be mistaken for a real one.
 */
export async function composeWith(called: CalledTarget, input: unknown): Promise<ComposedTarget> {
  const { bench, text } = called;
  const result = await composeTarget(bench, text, input);
  if (!result.ok) throw diagnosed(result.diagnostics);
  const composed = isDefinition(called) ? await asRun(called, result.value, input) : result.value;
  if (input !== undefined || !(await takesInput(called))) return composed;
  return { ...composed, diagnostics: [...composed.diagnostics, sampleWarning(text)] };
}

/** A definition as its run composes it, hooks included. Loaded when one is called. */
async function asRun(
  called: CalledTarget,
  composed: ComposedTarget,
  input: unknown,
): Promise<ComposedTarget> {
  const { composeAsRun } = await import('@cuebook/thread');
  const result = await composeAsRun(called, composed, input);
  if (!result.ok) throw diagnosed(result.diagnostics);
  return result.value;
}

const isDefinition = ({ profile: { prefix } }: CalledTarget): boolean =>
  prefix === 'agent' || prefix === 'prompt';

async function takesInput({ profile, bench, target }: CalledTarget): Promise<boolean> {
  const loaded = await profile.load(bench.project, target.name);
  return loaded.ok && hasLeaf(profile.sample(loaded.value));
}

const hasLeaf = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasLeaf) : value !== undefined;

const sampleWarning = (target: string): Diagnostic => ({
  code: 'W_SAMPLE_INPUT',
  severity: 'warning',
  message: `No input was given, so the examples of ${target} stand in`,
});
