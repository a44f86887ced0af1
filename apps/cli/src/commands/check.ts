import { dirname, relative } from 'node:path';
import { openFolder } from '@cuebook/files';
import { CONFIG_FILE, composeTarget, findProblems, findTargets } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { type Call, type Flags, flagValue, flagValues, type Handler, isOn } from '../command.js';
import { exitFor, usage } from '../failure.js';
import type { Io } from '../io.js';
import {
  diagnosticCounts,
  diagnosticLine,
  sortDiagnostics,
  uniqueDiagnostics,
} from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { count, styleFor } from '../output/style.js';
import { type Bench, openProject } from '../project/bench.js';
import { findProject, nearestProject } from '../project/find.js';
import {
  manifestFolder,
  NO_AGENT,
  openManifests,
  requireAgent,
  requireWatchable,
} from '../project/manifests.js';
import { namedPath, requireFile } from '../project/named-file.js';
import { requireTarget } from '../project/target.js';
import { watching } from '../project/watching.js';
import { isWorkflow, workflowBench, workflowFolder } from '../project/workflows.js';

/** `cuebook check`: every target composed with its author's examples, all problems at once. */
export const run: Handler = async (call) => {
  const { flags, io } = call;
  const scope = await readScope(call);
  const once = async (): Promise<Report> => {
    const report = await withProgress(io, 'Checking', check(scope, call));
    await print(report, {
      io,
      json: isOn(flags, 'json'),
      sarif: isOn(flags, 'sarif'),
      watch: isOn(flags, 'watch'),
    });
    return report;
  };
  if (!isOn(flags, 'watch')) return exitFor((await once()).diagnostics);
  requireWatchable(scope.manifests ?? [], scope.folder, io);
  const files = requireFile(await openFolder(scope.folder, { access: 'ro' }), '.');
  return watching(files, io, async () => void (await once()));
};

/** What is checked: the project, only one target or one file of it, or manifests named with `-f`. */
interface Scope {
  readonly folder: string;
  readonly target?: string;
  readonly file?: string;
  readonly manifests?: readonly string[];
}

interface Report {
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
    return { folder: await manifestFolder(flags, io), manifests };
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
  const { bench, diagnostics: configured } =
    manifests === undefined
      ? await openProject(folder, io)
      : { bench: await openManifests(manifests, flags, io), diagnostics: [] };
  if (bench === undefined) return { folder, targets: [], diagnostics: configured };
  const { targets, on } = await targetsOf(scope, bench, flags, io);
  const diagnostics: Diagnostic[] = [...configured];
  for (const each of targets) {
    const result = await composeTarget(on, each);
    for (const found of result.ok ? result.value.diagnostics : result.diagnostics) diagnostics.push(found);
  }
  if (isWhole(scope, flags)) diagnostics.push(...(await findProblems(bench)));
  if (manifests === undefined) diagnostics.push(...(await providerProblems(bench)));
  if (manifests !== undefined && targets.length === 0 && !hasErrors(diagnostics)) diagnostics.push(NO_AGENT);
  const unique = sortDiagnostics(uniqueDiagnostics(diagnostics));
  return {
    folder,
    targets,
    diagnostics: file === undefined ? unique : unique.filter((each) => each.file === file),
  };
}

/** What is wrong with the providers of the configuration. Most projects name none, and then nobody is loaded. */
async function providerProblems({ files }: Bench): Promise<readonly Diagnostic[]> {
  const text = await files.readText(CONFIG_FILE);
  if (!text.ok || !/^(?:provider|providers|prices)\s*:/m.test(text.value)) return [];
  const { readProviders } = await import('../project/providers.js');
  const read = await readProviders(files);
  return read.ok ? [] : read.error;
}

/** The targets to compose, and the bench to do it on: that of the revision when a target names one. */
async function targetsOf(
  { target, manifests }: Scope,
  bench: Bench,
  flags: Flags,
  io: Io,
): Promise<{ readonly targets: readonly string[]; readonly on: Bench }> {
  const agent = flagValue(flags, 'agent');
  if (manifests !== undefined && agent !== undefined) {
    return { targets: [await requireAgent(bench, agent)], on: bench };
  }
  if (target === undefined) return { targets: await findTargets(bench), on: bench };
  const opened = isWorkflow(target) ? await workflowBench(bench, target, io) : { bench, text: target };
  const named = await requireTarget(opened.bench, opened.text);
  return { targets: [named.text], on: named.bench };
}

const isWhole = ({ target }: Scope, flags: Flags): boolean =>
  target === undefined && flagValue(flags, 'agent') === undefined;

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
  for (const diagnostic of diagnostics) await io.out(diagnosticLine(diagnostic, style));
  const mark = hasErrors(diagnostics) ? style.red('✗') : style.green('✓');
  const names = targets.length === 0 ? '' : `: ${targets.join(', ')}`;
  await io.out(`${mark} ${diagnosticCounts(diagnostics)} in ${count(targets.length, 'target')}${names}\n`);
}
