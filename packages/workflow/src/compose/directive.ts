import { type Piece, type ShellField, shellPieces } from '@cuebook/prompt';
import type { Workflow, WorkflowNode } from '../package/package.js';
import { ofRun, packaged, shipped } from './labels.js';
import { POST_RUN_PROTOCOL, RUN_PROTOCOL } from './rules-text.js';

export const INTENTS = ['start', 'continue', 'resume'] as const;
/** `start`: the run was just made. `resume`: it goes on in a new session. `continue`: in the same one. */
export type Intent = (typeof INTENTS)[number];

export interface DirectiveInput {
  readonly workflow: Workflow;
  readonly intent: Intent;
  readonly autopilot: boolean;
  readonly effectiveAgentId: string;
  /** The active node; left out once the workflow is complete. */
  readonly active?: WorkflowNode;
  /** The state as `stateSummary` prints it. */
  readonly summary: readonly Piece[];
}

/** The fourth layer: the facts of the run, the protocol, and the state as the last part. */
export function directivePieces(input: DirectiveInput): readonly Piece[] {
  const { workflow, intent, autopilot, effectiveAgentId, active, summary } = input;
  const fixed = (text: string): Piece => shipped('workflow directive', text);
  const { node, index = 0 } = active ?? {};
  const fields: readonly ShellField<Piece>[] = [
    { key: 'runType', value: fixed('bmad-micro') },
    { key: 'intent', value: ofRun('run intent', intent, 'turn') },
    { key: 'workflow', value: packaged(workflow, [], workflow.id) },
    { key: 'state', value: fixed('@state/workflow.md') },
    { key: 'graph', value: packaged(workflow, [], `@pkg/${workflow.graphFile}`) },
    { key: 'artifactsRoot', value: fixed('@project/artifacts/') },
    ...(node === undefined
      ? []
      : [{ key: 'currentNodeId', value: packaged(workflow, ['nodes', index, 'id'], node.id) }]),
    { key: 'effectiveAgentId', value: packaged(workflow, ['nodes', index], effectiveAgentId) },
    { key: 'autopilot', value: ofRun('run autopilot', String(autopilot), 'session') },
  ];
  const protocol = active === undefined ? POST_RUN_BODY : RUN_BODY;
  return [...shellPieces({ header: 'RUN_DIRECTIVE', fields }), ...protocol, ...SUMMARY_HEAD, ...summary];
}

/**
 * The bodies of the two shells stand as they are, without a search for lines to escape: the protocol is ours,
 * and a summary is indented JSON, of which no line can be structure.
 */
const body = (text: string): readonly Piece[] => [shipped('workflow protocol', `\n${text}`)];
const RUN_BODY = body(RUN_PROTOCOL);
const POST_RUN_BODY = body(POST_RUN_PROTOCOL);
const SUMMARY_HEAD: readonly Piece[] = [
  { ...shipped('workflow directive', '\n\nSTATE_SUMMARY\n'), origin: { kind: 'structure', ref: 'shell' } },
];
