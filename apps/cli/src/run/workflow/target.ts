import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type Loaded, parseTarget } from '@cuebook/profile';
import { hint } from '@cuebook/prompt/hint';
import {
  createWorkflowProfile,
  type Workflow,
  type WorkflowPackage,
  type WorkflowSettings,
  type WorkflowSource,
} from '@cuebook/workflow';
import type { Call } from '../../command.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import { type Bench, openBenchAt } from '../../project/bench.js';
import { workflowFolder } from '../../project/workflow-folder.js';
import { requireWorkflowSettings, workflowBench } from '../../project/workflows.js';

/** The workflow that a call runs, and where it works. */
export interface RunTarget {
  readonly bench: Bench;
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  /** The texts of the files that menus hand in, by alias path. */
  readonly menuData: ReadonlyMap<string, string>;
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
  const profile = bench.profiles.find(({ prefix }) => prefix === 'workflow') ?? createWorkflowProfile();
  const loaded = (await profile.load(bench.project, target.name)) as Loaded<WorkflowSource>;
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  requireAccepted(loaded.value.package, parseTarget(text)?.name ?? text);
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

/** A run follows what its package says, so a person has to have accepted it. */
function requireAccepted({ name, version, trust }: WorkflowPackage, target: string): void {
  if (!guard('run.unaccepted', trust === 'external')) return;
  const [named = ''] = target.split('#');
  throw new Failure(
    'E_PACKAGE_UNACCEPTED',
    `The package ${name} ${version} comes from outside the project, and nobody has accepted its bytes as they are now. Read it with ${hint`package show ${named}`}, and accept it with ${hint`package accept ${named}`}.`,
    { exit: 1 },
  );
}

/** A path as it is named from the folder; undefined when it lies elsewhere. */
export function insideName(folder: string, path: string): string | undefined {
  const name = relative(folder, path);
  const isOutside = name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name);
  if (guard('run.outside', isOutside)) return undefined;
  return name === '' ? '.' : name.split(sep).join('/');
}
