import { dirname, relative } from 'node:path';
import { openFolder } from '@cuebook/files';
import { CONFIG_FILE, checkTarget, findProblems, findTargets } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { commandLine, shellWord } from '@cuebook/prompt/hint';
import type { WorkflowSettings } from '@cuebook/workflow/profiles';
import { isLive } from '../cluster/is-live.js';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../command.js';
import { exitFor, usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import type { Io } from '../io.js';
import { diagnosticCounts, problemLine, sortDiagnostics, uniqueDiagnostics } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { count, styleFor } from '../output/style.js';
import { type Bench, kindsOf, openProject } from '../project/bench.js';
import { hooksOn, nothingToCheck } from '../project/checking.js';
import { findProject, nearestProject, projectOrHere } from '../project/find.js';
import { homeFolder } from '../project/home.js';
import { namedPath, requireFile } from '../project/named-file.js';
import { lookAtSettings } from '../project/settings.js';
import { requireTarget } from '../project/target.js';
import { requireWatchable } from '../project/watchable.js';
import { watching } from '../project/watching.js';
import { isWorkflow, workflowFolder } from '../project/workflow-folder.js';

/** `cuebook check`: every target composed with its author's examples, all problems at once. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  if (isLive(call)) {
    const { checkLive } = await import('../cluster/check-live.js');
    const report = await withProgress(io, 'Checking', checkLive(call));
    await print(report, { io, json: isOn(flags, 'json'), sarif: isOn(flags, 'sarif'), watch: false });
    return exitFor(report.diagnostics);
  }
  const scope = await readScope(call);
  const once = async (): Promise<Report> => {
    const report = await withProgress(io, 'Checking', check(scope, call));
    await print(report, {
      io,
      json: isOn(flags, 'json'),
      sarif: isOn(flags, 'sarif'),
      watch: isOn(flags, 'watch'),
    });
    if (isWhole(scope, flags) && scope.manifests === undefined) await tellNext(report, call);
    return report;
  };
  if (!isOn(flags, 'watch')) return exitFor((await once()).diagnostics);
  requireWatchable(scope.manifests ?? [], scope.folder, io);
  const files = requireFile(await openFolder(scope.folder, { access: 'ro' }), '.');
  return watching(files, io, () => once().then(() => undefined));
};

/** What is checked: the project, only one target or one file of it, or manifests named with `-f`. */
interface Scope {
  readonly folder: string;
  readonly target?: string;
  readonly file?: string;
  readonly manifests?: readonly string[];
}

/** What was looked at, and all that is wrong with it. */
export interface Report {
  readonly folder: string;
  readonly targets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readScope({ args, flags, io }: Call): Promise<Scope> {
  const [given] = args;
  const project = flagValue(flags, 'project');
  const manifests = flagValues(flags, 'file');
  if (manifests.length > 0) {
    if (given !== undefined) throw usage(`-f names the manifests, so ${given} cannot be checked too`);
    return { folder: await projectOrHere(flags, io), manifests };
  }
  if (flags.agent !== undefined) throw usage('--agent names an Agent of manifests: give them with -f');
  if (given === undefined) return { folder: await findProject(io.cwd, project) };
  // A drive is one letter, a kind of target more.
  if (isWorkflow(given)) return { folder: await workflowFolder(flags, io), target: given };
  if (/^[a-z][a-z0-9-]+:/.test(given)) return { folder: await findProject(io.cwd, project), target: given };
  const { disk, path, full } = await namedPath(io.cwd, given);
  const { kind } = requireFile(await disk.stat(path), given);
  if (kind === 'directory') return { folder: await nearestProject(full, io.cwd) };
  const folder =
    project === undefined ? await nearestProject(dirname(full), io.cwd) : await findProject(io.cwd, project);
  const file = relative(folder, full).replaceAll('\\', '/');
  if (!file.startsWith('../')) return { folder, file };
  throw usage(`${given} is not a file of the project`);
}

async function check(scope: Scope, { flags, io }: Call): Promise<Report> {
  const { folder, file, manifests } = scope;
  const opened = await openProject(folder, io, manifests === undefined ? kindsOf(scope.target) : []);
  const bench =
    manifests === undefined
      ? opened.bench
      : await (await loadManifests()).manifestsOn(opened.bench, manifests, io);
  const settings = await lookAtSettings(opened.bench.files);
  const { targets, on } = await targetsOf(scope, bench, { flags, io, settings: settings.workflow });
  const found: Diagnostic[] = [];
  const add = (diagnostics: readonly Diagnostic[]): void => {
    for (const diagnostic of diagnostics) {
      if (file === undefined || diagnostic.file === file) found.push(diagnostic);
    }
  };
  const looked: string[] = [];
  const hooks = await hooksOn(on, targets);
  const obligations = await (await import('../eval/obligation-warnings.js')).obligationWarnings(bench.files);
  for (const target of targets) {
    const checked = await checkTarget(on, target);
    // Hooks are run with the author's examples, once all else fits.
    const hooked = hasErrors(checked.diagnostics) ? [] : await hooks?.saidOf(target);
    // A file is checked with every target that it is a part of, and so with what it includes.
    const isPart = file === undefined || checked.files.includes(file);
    if (isPart) looked.push(target);
    const said = hasErrors(checked.diagnostics) ? [] : await obligations(target, checked.blocks);
    if (isPart)
      for (const diagnostic of [...checked.diagnostics, ...(hooked ?? []), ...said]) found.push(diagnostic);
    else add(checked.diagnostics);
  }
  await hooks?.close();
  if (isWhole(scope, flags)) add(await findProblems(bench));
  const isNothing = looked.length === 0 && file !== CONFIG_FILE && !hasErrors(found);
  add(opened.diagnostics);
  add(settings.diagnostics);
  if (isNothing) found.push(await nothingIn(scope));
  return { folder, targets: looked, diagnostics: sortDiagnostics(uniqueDiagnostics(found)) };
}

/** Loaded only for manifests that were named. */
const loadManifests = () => import('../project/manifests.js');

/** A look at nothing is not a good one. */
const nothingIn = async ({ file, manifests }: Scope): Promise<Diagnostic> =>
  manifests === undefined ? nothingToCheck(file) : (await loadManifests()).NO_AGENT;

interface TargetOptions {
  readonly flags: Flags;
  readonly io: Io;
  readonly settings: WorkflowSettings;
}

/** The targets to compose, and the bench to do it on: that of the revision when a target names one. */
async function targetsOf(
  { target, manifests }: Scope,
  bench: Bench,
  { flags, io, settings }: TargetOptions,
): Promise<{ readonly targets: readonly string[]; readonly on: Bench }> {
  const agent = flagValue(flags, 'agent');
  if (manifests !== undefined && agent !== undefined) {
    return { targets: [await (await loadManifests()).requireAgent(bench, agent)], on: bench };
  }
  if (target === undefined) return { targets: await findTargets(bench), on: bench };
  const opened = isWorkflow(target)
    ? await (await import('../project/workflows.js')).workflowBench(bench, target, io, { settings })
    : { bench, text: target };
  const named = await requireTarget(opened.bench, opened.text);
  return { targets: [named.text], on: named.bench };
}

const isWhole = ({ target }: Scope, flags: Flags): boolean =>
  target === undefined && flagValue(flags, 'agent') === undefined;

/** What to do next in a project that is clean and has nothing on record yet: its first prompt, recorded. */
async function tellNext({ folder, targets, diagnostics }: Report, { flags, io }: Call): Promise<void> {
  if (hasErrors(diagnostics) || ['json', 'sarif', 'watch'].some((name) => isOn(flags, name))) return;
  const first = targets.find((target) => /^(?:sheet|prompt):/.test(target));
  if (first === undefined) return;
  const { disk, path } = await namedPath(io.cwd, homeFolder(folder, io));
  if ((await disk.stat(path)).ok) return;
  const next = typed(io, commandLine`run ${shellWord(first)}`);
  io.err(styleFor(io, 'err').dim(`Next, on record and without a key:\n  ${next}\n`));
}

interface PrintOptions {
  readonly io: Io;
  readonly json: boolean;
  readonly sarif: boolean;
  readonly watch: boolean;
}

async function print(report: Report, { io, json, sarif, watch }: PrintOptions): Promise<void> {
  const { diagnostics, targets, folder } = report;
  if (sarif) {
    // It knows every code of every package: loaded only when it is asked for.
    const { toSarif } = await import('../output/sarif.js');
    return printJson(io, await toSarif(diagnostics, folder), { compact: watch });
  }
  if (json) return printJson(io, { ok: !hasErrors(diagnostics), diagnostics }, { compact: watch });
  const style = styleFor(io, 'out');
  for (const diagnostic of diagnostics) await io.out(problemLine(io, 'out', diagnostic));
  const mark = hasErrors(diagnostics) ? style.red('✗') : style.green('✓');
  const more = targets.length > MAX_NAMED ? ` and ${targets.length - MAX_NAMED} more` : '';
  const names = targets.length === 0 ? '' : `: ${targets.slice(0, MAX_NAMED).join(', ')}${more}`;
  await io.out(`${mark} ${diagnosticCounts(diagnostics)} in ${count(targets.length, 'target')}${names}\n`);
}

/** Targets that are named one by one. */
const MAX_NAMED = 50;
