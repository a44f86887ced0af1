import {
  type Calls,
  type EngineEvent,
  grantOf,
  isAboutCalls,
  NO_STALL,
  openCalls,
  projectCalls,
  projectKept,
  projectStall,
} from '@cuebook/engine';
import { placeOf } from '@cuebook/host';
import { withRights } from '../capability/capabilities.js';
import { type Envelope, repliesAfter } from '../graph/envelope.js';
import { ARTIFACT_EVENT } from '../graph/material.js';
import { NO_SESSION } from '../prompt/kind.js';
import { NO_MEMORY } from '../prompt/past.js';
import type { RoleTemplate } from '../role/template.js';
import type { AnyTeamEvent, TeamEvent } from './event.js';
import { passed, projectEffect } from './project-effect.js';
import { carryOver, endTurn, startTurn } from './project-turn.js';
import { type NodeState, nativeAbout, nodeScope, nodesOf, RUN_SCOPE, type TeamState } from './state.js';

/** Folds an event in. Events of others, such as receipts, leave the state as it is. */
export function projectTeam(before: TeamState, event: AnyTeamEvent): TeamState {
  const state = projectParts(before, event);
  switch (event.type) {
    case 'run.started': {
      const { by: _by, sources, ...settings } = event.data;
      return { ...state, status: 'running', settings, ...(sources && { sources: placeOf(sources) }) };
    }
    case 'run.paused':
      return { ...state, status: 'paused', pause: event.data };
    case 'run.resumed':
      return { ...state, status: 'running', pause: null, stall: NO_STALL, nodes: moving(state.nodes) };
    case 'run.finishing':
      return { ...state, finishing: event.data };
    case 'run.unfinished':
      return unfinished({ ...state, finishing: null }, event.data);
    case 'run.finished':
      return { ...state, status: event.data.ok ? 'completed' : 'failed', pause: null, result: event.data };
    case 'run.stopped':
      return { ...state, status: 'stopped', pause: null };
    case 'run.moded':
      return { ...state, settings: { ...state.settings, ...event.data.after } };
    case 'run.limited':
      return { ...state, settings: { ...state.settings, limits: event.data.after } };
    case 'edge.added':
      return { ...state, edges: [...state.edges, event.data.edge] };
    case 'edge.removed':
      return { ...state, edges: state.edges.filter(({ id }) => id !== event.data.edge) };
    case 'run.updated':
      return {
        ...state,
        settings: { ...state.settings, ...event.data.own },
        sources: placeOf(event.data.to),
      };
    case 'envelope.sent':
      return {
        ...post(state, event.data),
        replies: event.data.kind === 'signal' ? state.replies : repliesAfter(state.replies, event.data),
      };
    case 'envelope.delivered':
      return deliver(state, event.data);
    case 'role.adopted':
      return adopted(state, event.data.role);
    case 'role.proposed':
      return { ...state, proposals: { ...state.proposals, [event.data.approval]: event.data.role } };
    case 'servers.listed':
      return { ...state, served: event.data.tools };
    case 'turn.started':
      return startTurn(state, event.data);
    case 'turn.closed':
      return repaired(
        withNode(state, event.data.node, (node) =>
          carryOver(endTurn(node, event.data, state.settings), node, state.approvals),
        ),
        state.nodes[event.data.node],
      );
    case 'turn.observed': {
      const observed = { type: 'stall.observed', data: event.data.trace };
      const fold = (stall: TeamState['stall']) => projectStall(stall, observed, state.settings.stall);
      return {
        ...withNode(state, event.data.node, (node) => ({ ...node, stall: fold(node.stall) })),
        stall: fold(state.stall),
      };
    }
    case 'approval.resolved':
      return resolveProposal(grantNatively(state, before.approvals, event.data), event.data);
    case 'budget.raised':
      return raised(state, event.data.scope);
    case 'node.added':
      return { ...state, nodes: { ...state.nodes, [event.data.node.id]: newNode(event.data.node) } };
    case 'node.configured':
      return withNode(state, event.data.after.id, (node) => ({ ...node, node: event.data.after }));
    default:
      return projectNode(projectEffect(withArtifact(state, event), event), event);
  }
}

/** A handoff of a turn waits for its end; whoever has no turn sends at once. */
function post(state: TeamState, envelope: Envelope): TeamState {
  const sender = state.nodes[envelope.fromNodeId];
  if (envelope.kind === 'signal' || !sender?.work)
    return withNode(state, envelope.toNodeId, (node) => ({ ...node, inbox: [...node.inbox, envelope] }));
  const { work } = sender;
  return withNode(state, sender.node.id, (node) => ({
    ...node,
    work: { ...work, outbox: [...(work.outbox ?? []), envelope] },
  }));
}

type Delivered = Extract<TeamEvent, { readonly type: 'envelope.delivered' }>['data'];

function deliver(state: TeamState, { envelope: id, from, to, work: report }: Delivered): TeamState {
  const sender = state.nodes[from];
  const envelope = sender?.work?.outbox?.find((each) => each.id === id);
  if (!sender?.work || envelope === undefined) return state;
  const { work } = sender;
  const last = report?.diffs.at(-1)?.turn;
  const sent = withNode(state, from, (node) => ({
    ...node,
    work: { ...work, outbox: work.outbox?.filter((each) => each !== envelope) ?? [] },
    ...(last === undefined ? {} : { reported: { ...node.reported, [to]: last } }),
  }));
  const told = report === undefined ? envelope : { ...envelope, work: report };
  return withNode(sent, to, (node) => ({ ...node, inbox: [...node.inbox, told] }));
}

/** The node that said that the run is done is told why it is not; a person reads it in the log. */
const unfinished = (
  state: TeamState,
  { by, why }: { readonly by: string; readonly why: string },
): TeamState =>
  withNode(state, by, (node) => ({ ...node, results: [...node.results, { kind: 'unfinished', why }] }));

/** A template that counts from now on, and with it the rights of all who have its role. */
function adopted(state: TeamState, role: RoleTemplate): TeamState {
  const nodes = Object.entries(state.nodes).map(([id, each]): [string, NodeState] =>
    each.node.role === role.name && each.node.limit !== undefined
      ? [id, { ...each, node: withRights(each.node, role) }]
      : [id, each],
  );
  return { ...state, nodes: Object.fromEntries(nodes), roles: { ...state.roles, [role.name]: role } };
}

const repaired = (state: TeamState, closed: NodeState | undefined): TeamState =>
  closed?.work?.verification === null ? passed(state, closed.node) : state;

type NodeEvent = Extract<
  TeamEvent,
  { readonly type: `node.${string}` | `turn.${string}` | 'native.called' | 'changes.flagged' }
>;

/** Events that change one node alone. */
function projectNode(state: TeamState, event: AnyTeamEvent): TeamState {
  const { type, data } = event as NodeEvent;
  const change = (update: (node: NodeState) => NodeState): TeamState =>
    withNode(state, (data as { readonly node: string }).node, update);
  switch (type) {
    case 'node.woken':
      return change((node) => ({ ...node, wake: data.cause }));
    case 'node.told':
      return change((node) => told(node, data.message));
    case 'node.reset':
      return change((node) => ({
        ...newNode(node.node),
        work: node.work,
        lastTurn: node.lastTurn,
        ...standingOf(node),
        session: { ...NO_SESSION, broken: 'reset' },
      }));
    case 'node.held':
      return change((node) => ({ ...node, hold: data.hold }));
    case 'node.resumed':
      return change((node) => ({ ...node, hold: null, stall: NO_STALL, wake: 'resume' }));
    case 'turn.interrupting': {
      const { by, why } = data;
      return change((node) => ({ ...node, work: node.work && { ...node.work, interrupted: { by, why } } }));
    }
    case 'turn.judged':
      return change((node) => ({
        ...node,
        work: node.work && { ...node.work, judged: true, calls: openCalls(data.calls) },
      }));
    case 'native.called':
      return change((node) => ({
        ...node,
        work: node.work && { ...node.work, native: [...node.work.native, ...openCalls([data.call])] },
      }));
    case 'changes.flagged':
      return change((node) => ({ ...node, work: node.work && { ...node.work, flagged: data.files } }));
    default:
      return state;
  }
}

/** What is known of its folder: forgetting a conversation repairs nothing. */
const standingOf = ({ verification, unchecked = null, made = [], reported = {} }: NodeState) => ({
  verification,
  unchecked,
  made,
  reported,
});

/** A person's word on the run is one on every node: what was counted against them starts again. */
const moving = (nodes: TeamState['nodes']): TeamState['nodes'] =>
  Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, { ...node, stall: NO_STALL }]));

/** A person's word ends a hold, but for one that money keeps. */
function told(node: NodeState, message: NodeState['messages'][number]): NodeState {
  const messages = message.interrupt ? [message, ...node.messages] : [...node.messages, message];
  const hold = node.hold?.kind === 'budget' ? node.hold : null;
  return { ...node, messages, hold, stall: NO_STALL };
}

/** The parts that follow the engine's own rules. */
function projectParts(state: TeamState, event: AnyTeamEvent): TeamState {
  const kept = projectKept(state, event);
  return isAboutCalls(event) ? { ...kept, nodes: foldCalls(state, event as EngineEvent) } : kept;
}

function foldCalls(state: TeamState, event: EngineEvent): TeamState['nodes'] {
  const fold = (calls: Calls): Calls => projectCalls(calls, event, state.settings.maxResultBytes);
  const entries = Object.entries(state.nodes).map(([id, node]): [string, NodeState] => {
    if (node.work === null) return [id, node];
    const [calls, native] = [fold(node.work.calls), fold(node.work.native)];
    if (calls === node.work.calls && native === node.work.native) return [id, node];
    return [id, { ...grantedBy(node, event), work: { ...node.work, calls, native } }];
  });
  return Object.fromEntries(entries);
}

/** What a person allows for the rest of the run counts for the node that asked. */
function grantedBy(node: NodeState, event: { readonly type: string }): NodeState {
  const resolved = event as Extract<TeamEvent, { readonly type: 'approval.resolved' }>;
  if (resolved.type !== 'approval.resolved' || resolved.data.grant !== true) return node;
  const calls = [...(node.work?.calls ?? []), ...(node.work?.native ?? [])];
  const tool = calls.find(({ approval }) => approval === resolved.data.id)?.name;
  return tool === undefined ? node : { ...node, granted: [...new Set([...node.granted, tool])] };
}

/** The same for what an agent asks about its own tools. */
function grantNatively(state: TeamState, before: TeamState['approvals'], { id, grant }: Resolved): TeamState {
  const asked = grant === true && Object.hasOwn(before.asked, id) ? before.asked[id] : undefined;
  const node = asked && nodesOf(state).find(({ work }) => work && asked.about === nativeAbout(work.effect));
  if (!asked || !node) return state;
  const granted = [...new Set([...node.granted, grantOf(asked)])];
  return withNode(state, node.node.id, (each) => ({ ...each, granted }));
}

type Resolved = Extract<TeamEvent, { readonly type: 'approval.resolved' }>['data'];

function resolveProposal(state: TeamState, { id }: Resolved): TeamState {
  if (!Object.hasOwn(state.proposals, id)) return state;
  const { [id]: _role, ...proposals } = state.proposals;
  return { ...state, proposals };
}

function raised(state: TeamState, scope: string): TeamState {
  if (scope === RUN_SCOPE && state.pause?.kind === 'budget')
    return { ...state, status: 'running', pause: null };
  const held = nodesOf(state).find(
    ({ node, hold }) => nodeScope(node.id) === scope && hold?.kind === 'budget',
  );
  return held ? withNode(state, held.node.id, (node) => ({ ...node, hold: null })) : state;
}

/** A text that is kept with the run can be named from now on. */
function withArtifact(state: TeamState, event: { readonly type: string; readonly data: unknown }): TeamState {
  if (event.type !== ARTIFACT_EVENT) return state;
  const { hash, kind } = event.data as { readonly hash: string; readonly kind: string };
  return { ...state, artifacts: { ...state.artifacts, [hash]: kind } };
}

/** The state with one node changed; the same when it is not there. */
export const withNode = (state: TeamState, id: string, update: (node: NodeState) => NodeState): TeamState => {
  const node = Object.hasOwn(state.nodes, id) ? state.nodes[id] : undefined;
  return node === undefined ? state : { ...state, nodes: { ...state.nodes, [id]: update(node) } };
};

const newNode = (node: NodeState['node']): NodeState => ({
  node,
  inbox: [],
  messages: [],
  results: [],
  wake: null,
  work: null,
  hold: null,
  session: NO_SESSION,
  heard: {},
  stall: NO_STALL,
  memory: NO_MEMORY,
  granted: [],
  verification: null,
  lastTurn: 0,
});
