import { join } from 'node:path';
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
  return {
    bench,
    ...loaded.value,
    pkg: isInProject ? join(folder, inside) : bench.project,
    settings: await requireWorkflowSettings(outer.files),
  };
}
