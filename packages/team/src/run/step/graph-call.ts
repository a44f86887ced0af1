import {
  type CallResult,
  type CallState,
  clipWords,
  type DecideContext,
  effectiveInput,
} from '@cuebook/engine';
import { guard, guarded } from '@cuebook/guard';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { TeamToolArgs } from '../../call/tools.js';
import { authorize } from '../../capability/authorize.js';
import { childRights } from '../../capability/capabilities.js';
import { serversWithin } from '../../capability/served.js';
import { canSend, edgeProblem, makeEdge } from '../../graph/edge.js';
import type { Envelope, WorkReport } from '../../graph/envelope.js';
import { hashOfRef } from '../../graph/material.js';
import { nameOf, type TeamNode } from '../../graph/node.js';
import { aliasProblem, findNode } from '../../graph/reference.js';
import { beside } from '../../graph/workspace.js';
import type { TeamConfig } from '../config.js';
import type { AnyTeamEvent } from '../event.js';
import { type NodeState, nodeScope, nodesOf, RUN_SCOPE, type TeamState } from '../state.js';
import { askFinish, finishRun } from './finish.js';
import { contextOf } from './rules.js';

interface GraphCall {
  readonly state: TeamState;
  readonly from: NodeState;
  readonly config: TeamConfig;
  readonly context: DecideContext;
}

/** What a call changes, and what its caller is told; a text alone is a refusal. */
type Done = { readonly events: readonly AnyTeamEvent[]; readonly told: JsonValue } | string;

/**
 * Carries out a call on the graph. Nothing of it is an effect: it is done when its events are in the log. Everything
 * is checked against the graph as it is now, which the calls before it may have changed.
 */
export function runGraphCall(given: GraphCall, call: CallState): readonly AnyTeamEvent[] {
  const input = effectiveInput(call);
  const permit = authorize(
    given.from.node,
    { name: call.name, input },
    contextOf(given.state, given.from, given.config),
  );
  const done =
    permit.kind === 'deny' ? `Not allowed: ${permit.reason}.` : performOpen(given, call.name, input);
  const isRefused = typeof done === 'string';
  const result: CallResult = isRefused
    ? { status: 'refused', code: permit.kind === 'deny' ? 'E_TOOL_DENIED' : 'E_CALL_REFUSED', text: done }
    : { status: 'ok', text: JSON.stringify(done.told) };
  return [{ type: 'call.settled', data: { call: call.id, result } }, ...(isRefused ? [] : done.events)];
}

/** A graph that is being finished does not grow, and nothing new is handed out in it. */
const performOpen = (given: GraphCall, name: string, input: JsonValue): Done =>
  guard('turn.finishing', Boolean(given.state.finishing) && name !== 'finish_run')
    ? 'The run is being finished: nothing new begins.'
    : perform(given, name, input);

/** The arguments have passed their schema, also when a person has changed them. */
function perform(given: GraphCall, name: string, input: JsonValue): Done {
  switch (name) {
    case 'spawn_node':
      return spawnNode(given, input as TeamToolArgs<'spawn_node'>);
    case 'create_edge':
      return createEdge(given, input as TeamToolArgs<'create_edge'>);
    case 'send_handoff':
      return sendHandoff(given, input as TeamToolArgs<'send_handoff'>);
    default: {
      const { ok, summary } = input as TeamToolArgs<'finish_run'>;
      const { state, from, context } = given;
      const by = from.node.id;
      if (!ok) return { events: finishRun(state, { ok, summary, by }, context), told: { finished: true } };
      const asked = askFinish(state, { summary, by }, { config: given.config, context });
      if (typeof asked === 'string') return `The run is not done. ${asked}`;
      return {
        events: asked.events,
        told: { finishing: true, waitsFor: asked.waits.map((each) => ({ ...each, what: [...each.what] })) },
      };
    }
  }
}

function spawnNode({ state, from, context }: GraphCall, args: TeamToolArgs<'spawn_node'>): Done {
  const { label, alias, roleTemplate: role, provider = from.node.provider, instructions, input } = args;
  const { providers } = state.settings;
  if (!Object.hasOwn(state.roles, role))
    return `No role template is called ${JSON.stringify(role)}. There are: ${Object.keys(state.roles).sort().join(', ')}.`;
  if (provider !== from.node.provider && !providers.includes(provider))
    return `No provider is called ${JSON.stringify(provider)}. There are: ${providers.join(', ')}.`;
  const taken =
    alias === undefined
      ? undefined
      : aliasProblem(
          nodesOf(state).map((each) => each.node),
          alias,
        );
  if (guard('alias.taken', taken !== undefined)) return taken as string;
  const workspace = childWorkspace(state, from.node, args.workspace);
  if (!workspace.ok) return workspace.error;
  const { model } = from.node;
  const wanted = args.servers ?? [];
  const servers = guarded('child.servers', (all) => serversWithin(all, from.node.servers ?? []), wanted);
  const node: TeamNode = {
    id: context.newId('node'),
    label,
    ...(alias === undefined ? {} : { alias }),
    role,
    provider,
    ...(model === undefined || provider !== from.node.provider ? {} : { model }),
    ...childRights({ role, capabilities: args.capabilities, permissions: args.permissions }, from.node, {
      template: state.roles[role],
      parentTemplate: Object.hasOwn(state.roles, from.node.role) ? state.roles[from.node.role] : undefined,
    }),
    ...(servers.length === 0 ? {} : { servers }),
    resume: args.session?.resume ?? true,
    workspace: workspace.value,
    ...(args.customSystemPrompt === undefined
      ? {}
      : { prompt: { text: args.customSystemPrompt, by: 'agent', ref: 'spawn_node' } as const }),
    depth: from.node.depth + 1,
    parent: from.node.id,
  };
  const limit = state.budget.scopes[RUN_SCOPE]?.limit ?? { turns: 1, tokens: 1, usd: null };
  const isInMidTurn = from.work?.outcome === null;
  const first =
    instructions === undefined && input === undefined
      ? undefined
      : sent(context, {
          fromNodeId: from.node.id,
          toNodeId: node.id,
          payload: {
            message: instructions ?? 'Spawned task',
            ...(input === undefined ? {} : { structured: input }),
          },
        });
  return {
    events: [
      { type: 'node.added', data: { node, by: from.node.id } },
      { type: 'budget.opened', data: { scope: nodeScope(node.id), parent: RUN_SCOPE, limit } },
      // In mid-turn what a new node is to do is no report of work: it begins at once.
      ...(first === undefined ? [] : [first, ...(isInMidTurn ? [delivered(first.data)] : [])]),
    ],
    told: {
      nodeId: node.id,
      label,
      alias: alias ?? null,
      roleTemplate: role,
      provider,
      ...node.capabilities,
      ...(wanted.length === 0 ? {} : { servers: [...servers] }),
      ...(typeof node.workspace === 'object' ? { workspace: node.workspace.with } : {}),
    },
  };
}

/** Where a child works: as its parent does, or with a node that it names. The person's folder is not given away. */
function childWorkspace(
  state: TeamState,
  parent: TeamNode,
  reference: string | undefined,
): Result<TeamNode['workspace'], string> {
  if (reference === undefined) return ok(parent.workspace);
  const host = findNode(
    nodesOf(state).map((each) => each.node),
    reference,
  );
  if (host === undefined)
    return fail(
      `spawn_node needs a known node id or alias (workspace=${quote(reference)} is not known). Use the ids or aliases of KNOWN_NODES, or leave workspace out.`,
    );
  const isTheirs = host.workspace === 'shared' && parent.workspace !== 'shared';
  if (guard('spawn.shared', isTheirs))
    return fail(
      `${nameOf(host)} works in the person's own folder, and you do not, so no node that you spawn can. Name another node, or leave workspace out.`,
    );
  return ok(beside(host));
}

function createEdge({ state, from, context }: GraphCall, args: TeamToolArgs<'create_edge'>): Done {
  const nodes = nodesOf(state).map((each) => each.node);
  const [start, end] = [findNode(nodes, args.from), findNode(nodes, args.to)];
  if (start === undefined || end === undefined)
    return `create_edge needs known node ids or aliases (${start ? '' : `from=${quote(args.from)} `}${end ? '' : `to=${quote(args.to)} `}is not known). Use the ids or aliases of KNOWN_NODES.`;
  const edge = makeEdge({ ...args, id: context.newId('edge'), from: start.id, to: end.id });
  const problem = edgeProblem(state.edges, edge);
  if (problem !== undefined) return problem;
  return {
    events: [{ type: 'edge.added', data: { edge, by: from.node.id } }],
    told: { edgeId: edge.id, from: start.id, to: end.id, type: edge.type, bidirectional: edge.bidirectional },
  };
}

function sendHandoff({ state, from, context }: GraphCall, args: TeamToolArgs<'send_handoff'>): Done {
  const nodes = nodesOf(state).map((each) => each.node);
  const { to: reference, contextRef, response, ...payload } = args;
  const to = findNode(nodes, reference);
  if (to === undefined)
    return `send_handoff needs a known node id or alias (to=${quote(reference)} is not known). Use the ids or aliases of KNOWN_NODES.`;
  if (guard('handoff.edge', !canSend(state.edges, from.node.id, to.id)))
    return `send_handoff needs an edge from ${nameOf(from.node)} to ${nameOf(to)}. Create the edge first.`;
  const missing = missingRefs(state, args);
  if (guard('handoff.reference', missing !== undefined)) return missing as string;
  const room = state.settings.limits.inbox;
  if (guard('handoff.room', waitingFor(state, to.id) >= room))
    return `${nameOf(to)} has ${room} handoffs waiting, which is the limit. Wait until it has read them.`;
  const replyTo = response?.replyTo === undefined ? undefined : findNode(nodes, response.replyTo);
  if (response?.replyTo !== undefined && replyTo === undefined)
    return `response.replyTo=${quote(response.replyTo)} is not known. Use the ids or aliases of KNOWN_NODES.`;
  const expected = response && {
    expectation: response.expectation,
    ...(replyTo === undefined ? {} : { replyTo: replyTo.id }),
  };
  const event = sent(context, {
    fromNodeId: from.node.id,
    toNodeId: to.id,
    payload: { ...(payload as Envelope['payload']), ...(expected ? { response: expected } : {}) },
    ...(contextRef === undefined ? {} : { contextRef }),
  });
  const hold = state.nodes[to.id]?.hold;
  return {
    events: [event],
    told: {
      envelopeId: event.data.id,
      to: to.id,
      ...(hold ? { receiver: `waits for a person (${hold.kind})` } : {}),
    },
  };
}

/** Handoffs that a node has not read, those on their way included. */
const waitingFor = (state: TeamState, id: string): number =>
  nodesOf(state)
    .flatMap(({ node, inbox, work }) => [...(node.id === id ? inbox : []), ...(work?.outbox ?? [])])
    .filter(({ toNodeId }) => toNodeId === id).length;

/** What is said of references to texts that the run does not have. */
function missingRefs(
  { artifacts = {} }: TeamState,
  { artifacts: named = [], contextRef }: TeamToolArgs<'send_handoff'>,
): string | undefined {
  const refs = [...named.map(({ ref }) => ref), ...(contextRef === undefined ? [] : [contextRef])];
  const missing = refs.filter((ref) => {
    const hash = hashOfRef(ref);
    return hash !== undefined && !Object.hasOwn(artifacts, hash);
  });
  if (missing.length === 0) return undefined;
  return `This run has nothing called ${missing.map(quote).join(', ')}. Name a reference that you were told, or a file of the workspace.`;
}

/** An envelope on its way, with its id and its time. */
export function sent(
  { newId, now }: DecideContext,
  envelope: Omit<Envelope, 'kind' | 'id' | 'createdAt'> & { readonly kind?: Envelope['kind'] },
): { readonly type: 'envelope.sent'; readonly data: Envelope } {
  const { kind = 'handoff', ...rest } = envelope;
  return {
    type: 'envelope.sent',
    data: { kind, id: newId('env'), createdAt: new Date(now).toISOString(), ...rest },
  };
}

/** An envelope that is with its receiver. */
export const delivered = (
  { id, fromNodeId, toNodeId }: Envelope,
  work?: WorkReport,
): Extract<AnyTeamEvent, { readonly type: 'envelope.delivered' }> => ({
  type: 'envelope.delivered',
  data: { envelope: id, from: fromNodeId, to: toNodeId, ...(work ? { work } : {}) },
});

const quote = (text: string): string => JSON.stringify(clipWords(text, 80));
