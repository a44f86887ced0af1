import type { BudgetLimit } from '@cuebook/engine';
import { type LabelledShell, type Piece, shellPieces } from '@cuebook/prompt';
import type { GlobalMode } from '../capability/authorize.js';
import type { TeamEdge } from '../graph/edge.js';
import type { Envelope, PendingReply } from '../graph/envelope.js';
import type { NodeText, TeamNode } from '../graph/node.js';
import { hostOf, isOneFolder } from '../graph/workspace.js';
import { handoffShell, messageShell, type PersonMessage } from './incoming.js';
import { type Material, materialShell } from './material.js';
import { resultShell, type TurnResult } from './result.js';
import { rosterShells } from './roster.js';
import { GAP, stated, written } from './say.js';
import { type NodeWork, workShells } from './work-report.js';

/** Why a node is asked now. */
export type TurnCause = 'start' | 'message' | 'handoff' | 'results' | 'auto' | 'resume';

/** Whether the orchestrator is asked again by itself. */
export type RunMode = 'AUTO' | 'INTERACTIVE';

/** Everything that a task payload says. */
export interface TaskFacts {
  readonly run: string;
  readonly node: TeamNode;
  readonly turn: number;
  readonly cause: TurnCause;
  readonly mode: RunMode;
  readonly globalMode: GlobalMode;
  readonly goal: NodeText | null;
  readonly done: readonly NodeText[];
  readonly nodes: readonly (TeamNode & { readonly status: string })[];
  readonly edges: readonly TeamEdge[];
  readonly messages: readonly PersonMessage[];
  readonly handoffs: readonly Envelope[];
  readonly results: readonly TurnResult[];
  readonly replies: readonly PendingReply[];
  readonly budgetLeft: BudgetLimit;
  /** What the references of the handoffs stand for. */
  readonly materials?: readonly Material[];
  /** What each node has made lately, for one that leads. */
  readonly work?: readonly NodeWork[];
}

/** A part of the payload. A stable one is left out of a delta when the session has it already. */
export interface TaskSection {
  readonly key: 'payload' | 'objective' | 'workspace' | 'roster' | 'state' | 'incoming';
  readonly stable: boolean;
  readonly pieces: readonly Piece[];
}

/** The payload in its parts, what changes least first; a part with nothing to say is not there. */
export function taskSections(facts: TaskFacts): readonly TaskSection[] {
  const section = (
    key: TaskSection['key'],
    stable: boolean,
    shells: readonly LabelledShell[],
  ): TaskSection[] =>
    shells.length === 0 ? [] : [{ key, stable, pieces: joinPieces(shells.map(shellPieces)) }];
  return [
    ...section('payload', true, [payloadShell(facts)]),
    ...section('objective', true, [objectiveShell(facts)]),
    ...section('workspace', true, [workspaceShell(facts)]),
    ...section('roster', true, rosterShells(facts.nodes, facts.edges)),
    ...section('state', false, [
      turnShell(facts),
      budgetShell(facts),
      ...replyShells(facts),
      ...workShells(facts.work ?? [], facts.nodes),
    ]),
    ...section('incoming', false, [
      ...facts.results.map(resultShell),
      ...facts.messages.map(messageShell),
      ...facts.handoffs.map((envelope) => handoffShell(envelope, facts.nodes)),
      ...(facts.materials ?? []).map(materialShell),
    ]),
  ];
}

/** Parts with a blank line between them. */
export const joinPieces = (parts: readonly (readonly Piece[])[]): readonly Piece[] =>
  parts.flatMap((pieces, index) => (index === 0 ? pieces : [GAP, ...pieces]));

function payloadShell({ run, node, mode, globalMode }: TaskFacts): LabelledShell {
  const { capabilities: can, permissions } = node;
  const fact = (key: string, text: string) => ({ key, value: stated(text, `node ${key}`, 'session') });
  return {
    header: 'TASK_PAYLOAD',
    fields: [
      fact('run', run),
      fact('node', node.id),
      ...(node.alias === undefined ? [] : [fact('alias', node.alias)]),
      { key: 'label', value: labelPiece(node) },
      fact('role', node.role),
      fact('provider', node.provider),
      fact('orchestration', mode),
      fact('globalMode', globalMode),
      fact(
        'capabilities',
        `edgeManagement=${can.edgeManagement}, runCommands=${can.runCommands}, writeCode=${can.writeCode}, writeDocs=${can.writeDocs}, delegateOnly=${can.delegateOnly}`,
      ),
      fact(
        'permissions',
        `cliPermissionsMode=${permissions.cliPermissionsMode}, agentManagementRequiresApproval=${permissions.agentManagementRequiresApproval}`,
      ),
    ],
  };
}

/** Which turn it is, and why. */
export const turnShell = ({ turn, cause }: Pick<TaskFacts, 'turn' | 'cause'>): LabelledShell => ({
  header: 'THIS_TURN',
  fields: [
    { key: 'turn', value: stated(String(turn), 'turn') },
    { key: 'cause', value: stated(CAUSES[cause], 'turn') },
  ],
});

const CAUSES: Readonly<Record<TurnCause, string>> = {
  start: 'the run begins',
  message: 'a person wrote to you',
  handoff: 'a node sent you a handoff',
  results: 'your last turn has results that need an answer',
  auto: 'nothing new came in: go on toward the goal, or finish the run, or say what blocks it',
  resume: 'a person resumed this node',
};

/** A label that an agent gave is the agent's word. */
export const labelPiece = (node: Pick<TeamNode, 'label' | 'parent'>): Piece =>
  node.parent === undefined
    ? stated(node.label, 'node label', 'session')
    : written({ text: node.label, by: 'agent', ref: 'spawn_node' }, 'session');

function objectiveShell({ goal, done }: TaskFacts): LabelledShell {
  return {
    header: 'TASK_OBJECTIVE',
    fields: [{ key: 'done', value: done.map((each) => written(each, 'session')) }],
    body: [
      goal === null ? stated('No goal was given. Wait for a message.', 'goal') : written(goal, 'session'),
    ],
    closed: true,
  };
}

/** The folder is never named: agents work in it and are told relative paths. */
function workspaceShell({ node, nodes }: TaskFacts): LabelledShell {
  const say = (key: string, text: string) => ({ key, value: stated(text, `workspace ${key}`, 'session') });
  return {
    header: 'TASK_WORKSPACE',
    fields: [
      say('path', '@workspace'),
      say('paths', 'relative to @workspace, which is the folder that you work in'),
      say('docs', 'docs'),
      say('isolation', isolationOf(node, nodes)),
    ],
  };
}

/** Whose folder it is, and who else works there. */
function isolationOf(node: TeamNode, nodes: TaskFacts['nodes']): string {
  if (node.workspace === 'shared') return 'this folder is shared with other nodes';
  const others = nodes.filter((other) => other.id !== node.id && isOneFolder(other, node));
  if (others.length === 0) return 'this folder is yours alone';
  const name = ({ alias, id }: Pick<TeamNode, 'alias' | 'id'>): string => alias ?? id;
  const host = others.find(({ id }) => id === hostOf(node));
  const whose = host === undefined ? 'this folder is yours' : `this folder is that of ${name(host)}`;
  return `${whose}; you take turns in it with ${others.map(name).join(', ')}, and find what they left`;
}

function budgetShell({ budgetLeft: { turns, tokens, usd } }: TaskFacts): LabelledShell {
  const say = (key: string, text: string) => ({ key, value: stated(text, 'budget') });
  return {
    header: 'BUDGET_LEFT',
    fields: [
      say('turns', String(turns)),
      say('tokens', String(tokens)),
      ...(usd === null ? [] : [say('usd', usd.toFixed(2))]),
    ],
  };
}

function replyShells({ replies, node, nodes }: TaskFacts): readonly LabelledShell[] {
  const name = (id: string): string => nodes.find((each) => each.id === id)?.alias ?? id;
  const owed = replies.filter(({ owedBy }) => owedBy === node.id);
  const awaited = replies.filter(({ from }) => from === node.id);
  if (owed.length + awaited.length === 0) return [];
  const say = (text: string): Piece => stated(text, 'pending replies');
  return [
    {
      header: 'PENDING_REPLIES',
      fields: [
        { key: 'youOwe', value: owed.map(({ to, envelope }) => say(`${name(to)}, for ${envelope}`)) },
        {
          key: 'youAwait',
          value: awaited.map(({ owedBy, envelope }) => say(`${name(owedBy)}, for ${envelope}`)),
        },
      ],
    },
  ];
}
