import { join } from 'node:path';
import type { TextSource } from '@cuebook/files';
import type { JsonValue } from '@cuebook/prompt';
import {
  createConfirmations,
  createTools,
  mergePolicies,
  openStateFile,
  openWorkflowMounts,
} from '../src/index.js';
import type { ToolSettings } from '../src/policy/policy.js';
import { openAudit } from '../src/tool/audit.js';
import type { WorkflowToolResult } from '../src/tool/result.js';
import { mustLoad, packageTexts, stateText } from './fixture.js';
import { makeRoot } from './scratch.js';

export interface DeskInput {
  readonly project?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: ToolSettings;
  readonly state?: Readonly<Record<string, unknown>> | null;
  readonly pkg?: TextSource;
  /** CUEBOOK_HOME, below the project. */
  readonly home?: string;
}

/** The tools of one agent on real folders: a project, a package, and the state of a run unless it is null. */
export async function openDesk({ project = {}, settings = {}, state = {}, pkg, home }: DeskInput = {}) {
  const { workflow } = await mustLoad();
  const projectRoot = makeRoot(project);
  const stateRoot = state === null ? undefined : makeRoot({ 'workflow.md': stateText(state) });
  const mounts = await openWorkflowMounts({
    project: projectRoot,
    pkg: pkg ?? makeRoot(packageTexts()),
    ...(stateRoot === undefined ? {} : { state: stateRoot }),
    ...(home === undefined ? {} : { home: join(projectRoot, home) }),
  });
  if (!mounts.ok) throw new Error(mounts.error.code);
  const { tools: files, keeper } = mounts.value;
  const confirmations = createConfirmations();
  const stateFile =
    keeper === undefined ? undefined : openStateFile({ folder: keeper, workflow, confirmations });
  const audit = keeper === undefined ? undefined : openAudit({ keeper });
  let clock = 0;
  const tools = createTools({
    files,
    policy: mergePolicies(settings),
    state: stateFile,
    keeper,
    audit,
    now: () => (clock += 5),
  });
  let calls = 0;
  const call = async (name: string, args: JsonValue): Promise<WorkflowToolResult> => {
    calls += 1;
    return (await tools.call({ id: `call_${calls}`, name, args, agentId: 'sm' })).result;
  };
  return { projectRoot, stateRoot, files, keeper, confirmations, call };
}

/** `ok`, or the code of the error. */
export const outcome = (result: WorkflowToolResult): string => (result.ok ? 'ok' : result.error.code);
