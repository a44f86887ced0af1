import { printYaml } from '@cuebook/yaml';
import type { Workflow } from '../package/package.js';

export interface InitialState {
  readonly workflow: Workflow;
  readonly runId?: string;
  readonly activeAgentId?: string;
  readonly updatedAt?: string;
}

/** The state file of a run that has not begun: at the entry, nothing completed. */
export function initialState({ workflow, runId, activeAgentId, updatedAt }: InitialState): string {
  const front = printYaml({
    schemaVersion: '1.1',
    workflowType: workflow.id,
    ...(runId === undefined ? {} : { runId }),
    ...(activeAgentId === undefined ? {} : { activeAgentId }),
    workflowRef: workflow.file,
    currentNodeId: workflow.graph.entryNodeId,
    stepsCompleted: [],
    variables: {},
    decisionLog: [],
    artifacts: [],
    ...(updatedAt === undefined ? {} : { updatedAt }),
  });
  return `---\n${front}---\n\n# State of ${workflow.id}\n`;
}
