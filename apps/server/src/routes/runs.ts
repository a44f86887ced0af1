import { RUN_ROUTES } from '@cuebook/api';
import { fail, ok } from '@cuebook/prompt';
import { findNode } from '@cuebook/team';
import { badField, fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { createRunList } from '../view/run-list.js';
import { runView } from '../view/run-view.js';
import { readChanges, readRun, type TeamParts } from './parts.js';
import { done, submit } from './submit.js';

/** Starting, looking at and steering runs. */
export function runRoutes(parts: TeamParts) {
  const { host, isRehearsal } = parts;
  const list = createRunList(parts);
  return routeGroup(RUN_ROUTES, {
    listRuns: async ({ query: { limit, status, before } }) => {
      const page = await list({ limit, ...(status && { status }), ...(before && { before }) });
      return page === undefined ? fail(badField('before', 'no run of that id')) : ok(page);
    },
    startRun: async ({ body: { team, goal, limits, script } }, { by, command }) => {
      const started = await host.startRun({
        id: command,
        by: by.name,
        team,
        ...(goal !== undefined && { goal }),
        ...(limits !== undefined && { limits }),
        ...(script !== undefined && { script }),
      });
      if (started.ok) return ok(started.value);
      const error = fromHost(started.error);
      return fail(error.status === 400 ? { ...error, field: error.field ?? 'team' } : error);
    },
    getRun: async ({ params: { run } }) => {
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      return ok(runView(run, read.value, isRehearsal, await readChanges(parts, run)));
    },
    pauseRun: ({ params: { run }, body: { interrupt } }, context) =>
      done(submit(host, run, { type: 'run.pause', ...(interrupt !== undefined && { interrupt }) }, context)),
    resumeRun: ({ params: { run } }, context) => done(submit(host, run, { type: 'run.resume' }, context)),
    stopRun: ({ params: { run } }, context) => done(submit(host, run, { type: 'run.stop' }, context)),
    finishRun: ({ params: { run }, body }, context) =>
      done(submit(host, run, { type: 'run.finish', ok: body.ok, summary: body.summary }, context)),
    setMode: async ({ params: { run }, body: { mode, globalMode } }, context) => {
      if (mode === undefined && globalMode === undefined)
        return fail(badField('mode', 'or globalMode is needed'));
      const modes = { ...(mode && { mode }), ...(globalMode && { globalMode }) };
      return done(submit(host, run, { type: 'run.mode', ...modes }, context));
    },
    setLimits: async ({ params: { run }, body: { id: _, ...limits } }, context) => {
      if (Object.keys(limits).length === 0) return fail(badField('body', 'no limit is named'));
      return done(submit(host, run, { type: 'run.limit', limits }, context));
    },
    raiseBudget: async ({ params: { run }, body: { node, turns, tokens, usd } }, context) => {
      const read = await readRun(parts, run);
      if (!read.ok) return read;
      const nodes = Object.values(read.value.state.nodes).map((each) => each.node);
      const found = node === undefined ? undefined : findNode(nodes, node);
      if (node !== undefined && found === undefined)
        return fail(badField('node', 'no such node in this run'));
      const to = { turns, tokens, usd };
      if (Object.values(to).every((value) => value === undefined))
        return fail(badField('turns', 'or tokens or usd is needed'));
      const scope = found === undefined ? 'run' : `node/${found.id}`;
      return done(submit(host, run, { type: 'budget.raise', scope, to }, context));
    },
    resolveDoubt: ({ params: { run, effect }, body: { outcome } }, context) =>
      done(submit(host, run, { type: 'effect.resolve', effect, outcome }, context)),
  });
}
