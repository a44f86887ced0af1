import { type Phrase, type Piece, type ShellField, shellPieces } from '@cuebook/prompt';
import type { PackageAgent, Workflow, WorkflowNode } from '../package/package.js';
import { TEXTS } from '../shipped-texts.js';
import { between, ofRun, packaged } from './labels.js';

export const INTENTS = ['start', 'continue', 'resume'] as const;
/** `start`: the run was just made. `resume`: it goes on in a new session. `continue`: in the same one. */
export type Intent = (typeof INTENTS)[number];

export interface DirectiveInput {
  readonly workflow: Workflow;
  readonly intent: Intent;
  readonly autopilot: boolean;
  /** The agent that speaks. */
  readonly speaker: PackageAgent;
  /** The active node; left out once the workflow is complete. */
  readonly active?: WorkflowNode;
  /** The state as `stateSummary` prints it. */
  readonly summary: readonly Piece[];
}

/**
 * The fourth layer: the facts of the run, the protocol, and the state as the last part. The bodies of the two shells
 * stand as they are, without a search for lines to escape: the protocol is ours, and a summary is indented JSON, of
 * which no line can be structure.
 */
export function directivePieces(input: DirectiveInput): readonly Piece[] {
  const { workflow, intent, autopilot, speaker, active, summary } = input;
  const effectiveAgentId = speaker.agent.id;
  const fixed = (name: string): Piece => TEXTS.piece(`turn.md#directive.${name}`);
  const { node, index = 0 } = active ?? {};
  const { labels, manifest } = workflow;
  const named = { yaml: manifest.yaml, labels };
  const graph = packaged(named, manifest.graph, workflow.graphFile);
  const agent =
    node?.agentId === effectiveAgentId
      ? packaged(workflow, ['nodes', index, 'agentId'], effectiveAgentId)
      : packaged(speaker, ['id'], effectiveAgentId);
  const fields: readonly ShellField<Piece | Phrase>[] = [
    { key: 'runType', value: fixed('type') },
    { key: 'intent', value: ofRun('run intent', intent, 'turn') },
    { key: 'workflow', value: { parts: packaged(named, manifest.id, workflow.id) } },
    { key: 'state', value: fixed('state') },
    { key: 'graph', value: { parts: [between('@pkg/'), ...graph] } },
    { key: 'artifactsRoot', value: fixed('artifacts') },
    ...(node === undefined
      ? []
      : [{ key: 'currentNodeId', value: { parts: packaged(workflow, ['nodes', index, 'id'], node.id) } }]),
    { key: 'effectiveAgentId', value: { parts: agent } },
    { key: 'autopilot', value: ofRun('run autopilot', String(autopilot), 'session') },
  ];
  const protocol = TEXTS.piece(`rules.md#protocol.${active === undefined ? 'post-run' : 'run'}`);
  return [
    ...shellPieces({ header: 'RUN_DIRECTIVE', fields }),
    between('\n\n'),
    protocol,
    between('\n\nSTATE_SUMMARY\n'),
    ...summary,
  ];
}
