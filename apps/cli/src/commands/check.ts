import { dirname, relative } from 'node:path';
import { openFolder } from '@cuebook/files';
import { composeTarget, findTargets } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import { flagValue, type Handler, isOn } from '../command.js';
import { exitFor, Failure } from '../failure.js';
import type { Io } from '../io.js';
import {
  diagnosticCounts,
  diagnosticLine,
  sortDiagnostics,
  uniqueDiagnostics,
} from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { toSarif } from '../output/sarif.js';
import { count, styleFor } from '../output/style.js';
import { openProject } from '../project/bench.js';
import { findProject, nearestProject } from '../project/find.js';
import { namedPath, requireFile } from '../project/named-file.js';
import { requireTarget } from '../project/target.js';
import { watching } from '../project/watching.js';

/** `cuebook check`: every target composed with its author's examples, all problems at once. */
export const run: Handler = async ({ args, flags, io }) => {
  const scope = await readScope(args[0], flagValue(flags, 'project'), io);
  const once = async (): Promise<Report> => {
    const report = await withProgress(io, 'Checking', check(scope, io));
    await print(report, {
      io,
      json: isOn(flags, 'json'),
      sarif: isOn(flags, 'sarif'),
      watch: isOn(flags, 'watch'),
    });
    return report;
  };
  if (!isOn(flags, 'watch')) return exitFor((await once()).diagnostics);
  const files = requireFile(await openFolder(scope.folder, { access: 'ro' }), '.');
  return watching(files, io, async () => void (await once()));
};

/** What is checked: the project, and only one target or one file of it when the call says so. */
interface Scope {
  readonly folder: string;
  readonly target?: string;
  readonly file?: string;
}

interface Report {
  readonly folder: string;
  readonly targets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readScope(given: string | undefined, project: string | undefined, io: Io): Promise<Scope> {
  if (given === undefined) return { folder: await findProject(io.cwd, project) };
  // A drive is one letter, a kind of target more.
  if (/^[a-z][a-z0-9-]+:/.test(given)) return { folder: await findProject(io.cwd, project), target: given };
  const { disk, path, full } = await namedPath(io.cwd, given);
  const { kind } = requireFile(await disk.stat(path), given);
  if (kind === 'directory') return { folder: await nearestProject(full, io.cwd) };
  const folder =
    project === undefined ? await nearestProject(dirname(full), io.cwd) : await findProject(io.cwd, project);
  const file = relative(folder, full).replaceAll('\\', '/');
  if (!file.startsWith('../')) return { folder, file };
  throw new Failure('E_USAGE', `${given} is not a file of the project`);
}

async function check({ folder, target, file }: Scope, io: Io): Promise<Report> {
  const { bench, diagnostics: configured } = await openProject(folder, io);
  if (bench === undefined) return { folder, targets: [], diagnostics: configured };
  const named = target === undefined ? undefined : await requireTarget(bench, target);
  const found = named === undefined ? await findTargets(bench) : [named.text];
  const diagnostics: Diagnostic[] = [...configured];
  for (const each of found) {
    const result = await composeTarget(named?.bench ?? bench, each);
    diagnostics.push(...(result.ok ? result.value.diagnostics : result.diagnostics));
  }
  const unique = sortDiagnostics(uniqueDiagnostics(diagnostics));
  return {
    folder,
    targets: found,
    diagnostics: file === undefined ? unique : unique.filter((each) => each.file === file),
  };
}

interface PrintOptions {
  readonly io: Io;
  readonly json: boolean;
  readonly sarif: boolean;
  readonly watch: boolean;
}

async function print(report: Report, { io, json, sarif, watch }: PrintOptions): Promise<void> {
  const { diagnostics, targets, folder } = report;
  if (sarif) return printJson(io, await toSarif(diagnostics, folder), { compact: watch });
  if (json) return printJson(io, { ok: !hasErrors(diagnostics), diagnostics }, { compact: watch });
  const style = styleFor(io, 'out');
  for (const diagnostic of diagnostics) await io.out(diagnosticLine(diagnostic, style));
  const mark = hasErrors(diagnostics) ? style.red('✗') : style.green('✓');
  const names = targets.length === 0 ? '' : `: ${targets.join(', ')}`;
  await io.out(`${mark} ${diagnosticCounts(diagnostics)} in ${count(targets.length, 'target')}${names}\n`);
}
