import { GRAPH_ROUTES } from '@cuebook/api';
import { readApprovals } from '@cuebook/engine';
import type { Word } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import { type NodeText, resolveRights } from '@cuebook/team';
import { badField, notFound } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { approvalView } from '../view/approval-view.js';
import { waitView } from '../view/wait-view.js';
import { readChanges, readRun, type TeamParts } from './parts.js';
import { done, submit, tell } from './submit.js';

/** Nodes, edges and approvals. */
export function graphRoutes(parts: TeamParts) {
  const { store } = parts;
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
      const added = await submit(parts, run, { type: 'node.add', node }, context);
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
      const told = await submit(parts, run, command, context);
      if (!told.ok) return told;
      return ok({ message: String((told.value as { readonly message?: unknown } | null)?.message) });
    },
    interruptNode: ({ params: { run, node } }, context) =>
      done(submit(parts, run, { type: 'node.interrupt', node }, context)),
    resetNode: ({ params: { run, node } }, context) =>
      done(submit(parts, run, { type: 'node.reset', node }, context)),
    resumeNode: ({ params: { run, node } }, context) =>
      done(submit(parts, run, { type: 'node.resume', node }, context)),
    configureNode: async ({ params: { run, node }, body }, context) => {
      const { id: _, ...to } = body;
      if (Object.keys(to).length === 0) return fail(badField('body', 'nothing to change is named'));
      return done(submit(parts, run, { type: 'node.configure', node, to }, context));
    },
    addEdge: async ({ params: { run }, body }, context) => {
      const { id: _, ...edge } = body;
      const added = await submit(parts, run, { type: 'edge.add', edge }, context);
      if (!added.ok) return added;
      const id = (added.value as { readonly edge?: unknown } | null)?.edge;
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const found = read.value.state.edges.find((each) => each.id === id);
      return found ? ok(found) : fail(notFound('E_TEAM_EDGE', 'The edge is not there any more.'));
    },
    listApprovals: async ({ query: { run } }) => {
      const waiting = await parts.runs.waiting(run === undefined ? {} : { run: run as RunId });
      const rows = new Map((await readApprovals(store)).map((row) => [`${row.run} ${row.id}`, row]));
      return ok({ approvals: waiting.map((wait) => waitView(wait, rows.get(`${wait.run} ${wait.id}`))) });
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

/** What a person writes through the interface. */
const said = (text: string): NodeText => ({ text, by: 'user', ref: 'api' });
