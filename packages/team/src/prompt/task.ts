import type { BudgetLimit } from '@cuebook/engine';
import { type LabelledShell, type Phrase, type Piece, shellPieces } from '@cuebook/prompt';
import { CAPABILITIES, PERMISSIONS } from '../capability/capabilities.js';
import type { GlobalMode } from '../capability/global-mode.js';
import type { ServedTool } from '../capability/served.js';
import type { TeamEdge } from '../graph/edge.js';
import type { Envelope, PendingReply } from '../graph/envelope.js';
import type { NodeText, TeamNode } from '../graph/node.js';
import { hostOf, isOneFolder } from '../graph/workspace.js';
import { TEXTS } from '../shipped-texts.js';
import { handoffShell, messageShell, type PersonMessage } from './incoming.js';
import { type Material, materialShell } from './material.js';
import { resultShell, type TurnResult } from './result.js';
import { rosterShells } from './roster.js';
import { between, fact, GAP, madeFrom, phrase, stated, told, written } from './say.js';
import { servedShells } from './served.js';
import { type NodeWorkReport, workShells } from './work-report.js';

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
  /** The tools of MCP servers that are told in words. */
  readonly served?: readonly ServedTool[];
  /** What each node has made lately, for one that leads. */
  readonly work?: readonly NodeWorkReport[];
}

/** A part of the payload. A stable one is left out of a delta when the session has it already. */
export interface TaskSection {
  readonly key: 'payload' | 'objective' | 'workspace' | 'roster' | 'servers' | 'state' | 'incoming';
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
    ...section('servers', true, servedShells(facts.served ?? [])),
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
  const ofRun = (key: string, text: string) => ({ key, value: stated(text, `run ${key}`, 'session') });
  const own = (key: string, text: string, name = key) => ({
    key,
    value: fact(name, text, { at: node.at, volatility: 'session' }),
  });
  return {
    header: 'TASK_PAYLOAD',
    fields: [
      ofRun('run', run),
      ofRun('node', node.id),
      ...(node.alias === undefined ? [] : [own('alias', node.alias)]),
      { key: 'label', value: labelPiece(node) },
      own('role', node.role),
      own('provider', node.provider),
      ofRun('orchestration', mode),
      ofRun('globalMode', globalMode),
      { key: 'capabilities', value: settings(node, CAPABILITIES, node.capabilities) },
      { key: 'permissions', value: settings(node, PERMISSIONS, node.permissions) },
      ...(node.servers === undefined ? [] : [{ key: 'servers', value: serversOf(node) }]),
    ],
  };
}

/** `writeCode=true, writeDocs=false`, each value where it is set. */
const settings = <Name extends string>(
  { at }: TeamNode,
  names: readonly Name[],
  values: Readonly<Record<Name, string | boolean>>,
): Phrase =>
  phrase(
    ...names.flatMap((name, index) => [
      between(`${index === 0 ? '' : ', '}${name}=`),
      fact(name, String(values[name]), { at, volatility: 'session' }),
    ]),
  );

/** The servers whose tools it may call, each where it is set. */
const serversOf = ({ servers = [], at }: TeamNode): readonly Piece[] =>
  servers.map((name) => fact(`servers.${name}`, name, { at, volatility: 'session' }));

/** Which turn it is, and why. */
export const turnShell = ({ turn, cause }: Pick<TaskFacts, 'turn' | 'cause'>): LabelledShell => ({
  header: 'THIS_TURN',
  fields: [
    { key: 'turn', value: stated(String(turn), 'turn') },
    { key: 'cause', value: told(`cause.${cause}`) },
  ],
});

/** A label that an agent gave is the agent's word. */
const labelPiece = ({ label, parent, at }: Pick<TeamNode, 'label' | 'parent' | 'at'>): Phrase =>
  parent === undefined
    ? phrase(fact('label', label, { at, volatility: 'session' }))
    : phrase(...written({ text: label, by: 'agent', ref: 'spawn_node' }, 'session'));

function objectiveShell({ goal, done }: TaskFacts): LabelledShell {
  return {
    header: 'TASK_OBJECTIVE',
    fields: [{ key: 'done', value: done.map((each) => phrase(...written(each, 'session'))) }],
    body: goal === null ? [told('goal.none')] : written(goal, 'session'),
    closed: true,
  };
}

/** The folder is never named: agents work in it and are told relative paths. */
function workspaceShell({ node, nodes }: TaskFacts): LabelledShell {
  const say = (key: string) => ({ key, value: told(`workspace.${key}`, 'session') });
  return {
    header: 'TASK_WORKSPACE',
    fields: [
      say('path'),
      say('paths'),
      say('docs'),
      { key: 'isolation', value: phrase(...isolationOf(node, nodes)) },
    ],
  };
}

/** Whose folder it is, and who else works there. */
function isolationOf(node: TeamNode, nodes: TaskFacts['nodes']): readonly Piece[] {
  if (node.workspace === 'shared') return [told('isolation.shared', 'session')];
  const others = nodes.filter((other) => other.id !== node.id && isOneFolder(other, node));
  if (others.length === 0) return [told('isolation.own', 'session')];
  const name = ({ alias, id }: Pick<TeamNode, 'alias' | 'id'>): string => alias ?? id;
  const host = others.find(({ id }) => id === hostOf(node));
  const say = (each: TeamNode): Piece => fact('alias', name(each), { at: each.at, volatility: 'session' });
  const listed = others.flatMap((other, index) => [...(index === 0 ? [] : [between(', ')]), say(other)]);
  return host === undefined
    ? TEXTS.fill('task.md#isolation.host', { others: listed }, 'session')
    : TEXTS.fill('task.md#isolation.guest', { host: say(host), others: listed }, 'session');
}

function budgetShell({ node: { at }, budgetLeft: { turns, tokens, usd } }: TaskFacts): LabelledShell {
  const say = (key: string, text: string) => ({
    key,
    value: madeFrom(`budget.${key}`, stated(text, 'budget'), at),
  });
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
