import { GRAPH_ROUTES } from '@cuebook/api';
import { type ApprovalRow, findWorker } from '@cuebook/engine';
import type { Word } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import { type NodeText, resolveRights, waitingCount } from '@cuebook/team';
import { badField, notFound } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { approvalView, waitingView } from '../view/approval-view.js';
import { leftTeam, teamWaits } from '../view/team-waits.js';
import { otherWaits } from '../view/waiting-list.js';
import { readChanges, readRun, type TeamParts } from './parts.js';
import { done, submit, tell } from './submit.js';

/** Nodes, edges and approvals. */
export function graphRoutes(parts: TeamParts) {
  const { host, store } = parts;
  return routeGroup(GRAPH_ROUTES, {
    addNode: async ({ params: { run }, body }, context) => {
      const { label, alias, role, provider, model, capabilities, permissions, prompt, override } = body;
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const { roles } = read.value.state;
      const template = Object.hasOwn(roles, role) ? roles[role] : undefined;
      const node = {
        label,
        role,
        provider,
        ...resolveRights({ role, capabilities, permissions }, template),
        resume: body.resume ?? true,
        workspace: body.workspace ?? 'shared',
        ...(alias !== undefined && { alias }),
        ...(model !== undefined && { model }),
        ...(prompt !== undefined && { prompt: said(prompt) }),
        ...(override !== undefined && { override: said(override) }),
      } as const;
      const added = await submit(host, run, { type: 'node.add', node }, context);
      if (!added.ok) return added;
      const id = (added.value as { readonly node?: unknown } | null)?.node;
      return ok({ node: String(id) });
    },
    messageNode: async ({ params: { run, node }, body: { text, interrupt, contextRef } }, context) => {
      const command = {
        type: 'node.message',
        node,
        text,
        ...(interrupt !== undefined && { interrupt }),
        ...(contextRef !== undefined && { contextRef }),
      } as const;
      const told = await submit(host, run, command, context);
      if (!told.ok) return told;
      return ok({ message: String((told.value as { readonly message?: unknown } | null)?.message) });
    },
    interruptNode: ({ params: { run, node } }, context) =>
      done(submit(host, run, { type: 'node.interrupt', node }, context)),
    resetNode: ({ params: { run, node } }, context) =>
      done(submit(host, run, { type: 'node.reset', node }, context)),
    resumeNode: ({ params: { run, node } }, context) =>
      done(submit(host, run, { type: 'node.resume', node }, context)),
    configureNode: async ({ params: { run, node }, body }, context) => {
      const { id: _, ...to } = body;
      if (Object.keys(to).length === 0) return fail(badField('body', 'nothing to change is named'));
      return done(submit(host, run, { type: 'node.configure', node, to }, context));
    },
    addEdge: async ({ params: { run }, body }, context) => {
      const { id: _, ...edge } = body;
      const added = await submit(host, run, { type: 'edge.add', edge }, context);
      if (!added.ok) return added;
      const id = (added.value as { readonly edge?: unknown } | null)?.edge;
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const found = read.value.state.edges.find((each) => each.id === id);
      return found ? ok(found) : fail(notFound('E_TEAM_EDGE', 'The edge is not there any more.'));
    },
    listApprovals: async ({ query: { run } }) => {
      const rows = (await host.approvals()).filter((row) => run === undefined || row.run === run);
      const views = new Map<string, (row: ApprovalRow) => ReturnType<typeof waitingView>>();
      for (const name of new Set(rows.map((row) => row.run))) views.set(name, await viewerOf(parts, name));
      const teams = rows.flatMap((row) => views.get(row.run)?.(row) ?? []);
      const held = await heldTeams(parts);
      const others = [...held, ...(await otherWaits(store))].filter(
        (each) => run === undefined || each.run === run,
      );
      return ok({ approvals: [...teams, ...others].sort(byTime) });
    },
    getApproval: async ({ params: { run, approval } }) => {
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const view = approvalView(run, read.value.state, approval, await readChanges(parts, run));
      return view ? ok(view) : fail(notFound('E_APPROVAL_UNKNOWN', 'There is no such approval in this run.'));
    },
    resolveApproval: ({ params: { run, approval }, body }, context) => {
      const { id: _, ...answer } = body;
      return done(tell(parts, run, { type: 'approve', approval, ...answer } as Word, context));
    },
  });
}

/** The oldest first; what was asked at the same moment by run and id, so that the order is always the same. */
function byTime(a: Waiting, b: Waiting): number {
  return a.askedAt - b.askedAt || order(a.run, b.run) || order(a.id, b.id);
}

type Waiting = { readonly askedAt: number; readonly run: string; readonly id: string };
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What teams wait for beside approvals. Only runs that are not over are read. */
async function heldTeams({ host, store }: TeamParts): Promise<ReturnType<typeof teamWaits>> {
  const open = (await host.runs()).filter(({ status }) => status === 'running' || status === 'paused');
  const lastAt = new Map((await store.runs()).map((each) => [each.run as string, each.lastAt]));
  const views: ReturnType<typeof teamWaits>[] = [];
  for (const { run } of open) {
    const read = await host.read(run as RunId);
    if (!read.ok) continue;
    const at = lastAt.get(run) ?? 0;
    const waits = teamWaits(run, read.value.state, at);
    const isLeft =
      waitingCount(read.value.state) === 0 && (await findWorker(store, run as RunId)) === undefined;
    views.push(isLeft ? [leftTeam(run, at)] : waits);
  }
  return views.flat();
}

/** As the run has it; a run that cannot be read has its row in the list still. */
async function viewerOf(parts: TeamParts, run: string) {
  const read = await parts.host.read(run as RunId);
  const state = read.ok ? read.value.state : undefined;
  const changes = await readChanges(parts, run);
  return (row: ApprovalRow) =>
    (state && approvalView(run, state, row.id, changes)) ?? waitingView(row, state, changes);
}

/** What a person writes through the interface. */
const said = (text: string): NodeText => ({ text, by: 'user', ref: 'api' });
