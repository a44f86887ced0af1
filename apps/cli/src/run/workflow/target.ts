import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { TextSource } from '@cuebook/files';
import { parseTarget } from '@cuebook/profile';
import {
  createWorkflowProfile,
  type Workflow,
  type WorkflowPackage,
  type WorkflowSettings,
} from '@cuebook/workflow';
import type { Call } from '../../command.js';
import { diagnosed, usage } from '../../failure.js';
import { guard } from '../../guard.js';
import { type Bench, openBenchAt } from '../../project/bench.js';
import { requireWorkflowSettings, workflowBench, workflowFolder } from '../../project/workflows.js';

/** The workflow that a call runs, and where it works. */
export interface RunTarget {
  readonly bench: Bench;
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  /** The folder of the package in the project, or the texts of one from elsewhere. */
  readonly pkg: string | TextSource;
  readonly settings: WorkflowSettings;
  /** How another process names it from the project's folder; undefined for a package from elsewhere. */
  readonly name: string | undefined;
}

/** Opens the workflow that a call names. */
export async function openRunTarget({ args, flags, io }: Call): Promise<RunTarget> {
  const [text = ''] = args;
  const folder = await workflowFolder(flags, io);
  const outer = await openBenchAt(folder, io);
  const { bench, text: inner } = await workflowBench(outer, text, io);
  const target = parseTarget(inner);
  if (target === undefined) throw usage(`${text} is not a workflow: write workflow:DIR or workflow:DIR#ID`);
  if (target.revision !== undefined) throw usage('A workflow runs as it is now: leave the revision out');
  const loaded = await createWorkflowProfile().load(bench.project, target.name);
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  const [inside = '.'] = target.name.split('#');
  const isInProject = bench.project === outer.project;
  const [named = '', id] = (parseTarget(text)?.name ?? '').split('#');
  const from = (await outer.files.stat(named)).ok ? folder : io.cwd;
  const name = insideName(folder, resolve(from, named));
  return {
    bench,
    ...loaded.value,
    pkg: isInProject ? join(folder, inside) : bench.project,
    settings: await requireWorkflowSettings(outer.files),
    name: name === undefined ? undefined : `workflow:${name}${id === undefined ? '' : `#${id}`}`,
  };
}

/** A path as it is named from the folder; undefined when it lies elsewhere. */
export function insideName(folder: string, path: string): string | undefined {
  const name = relative(folder, path);
  const isOutside = name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);
  if (guard('run.outside', isOutside)) return undefined;
  return name === '' ? '.' : name.split(sep).join('/');
}
