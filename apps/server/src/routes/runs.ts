import { RUN_ROUTES } from '@cuebook/api';
import type { StartCall } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { fail, type JsonValue, ok } from '@cuebook/prompt';
import { findNode } from '@cuebook/team';
import { badField, fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { createRunList } from '../view/run-list.js';
import { runView } from '../view/run-view.js';
import { readChanges, readRun, type TeamParts } from './parts.js';
import { withInputs } from './sheet-inputs.js';
import { done, submit, tell } from './submit.js';

/** Starting, looking at and steering runs. */
export function runRoutes(parts: TeamParts) {
  const { isRehearsal } = parts;
  const list = createRunList(parts);
  return routeGroup(RUN_ROUTES, {
    listRuns: async ({ query: { limit, status, kind, before } }) => {
      const page = await list({
        limit,
        ...(status && { status }),
        ...(kind && { kind }),
        ...(before && { before }),
      });
      return page === undefined ? fail(badField('before', 'no run of that id')) : ok(page);
    },
    startRun: async ({ body }, { by, command }) => {
      const { team, target, goal, limits, script } = body;
      if (target !== undefined) return startTarget(parts, { ...body, target }, { by: by.name, id: command });
      if (team === undefined) return fail(badField('team', 'or target is needed'));
      if (body.label !== undefined) return fail(badField('label', 'belongs to a target'));
      if (body.inputs !== undefined) return fail(badField('inputs', 'belongs to a sheet as the target'));
      const started = await parts.runs.begin({
        id: command,
        by: by.name,
        target: 'file' in team ? `team:${team.file}` : 'team:',
        ...(goal !== undefined && { input: goal }),
        options: {
          ...('text' in team && { team: team.text }),
          ...(limits !== undefined && { limits: limits as JsonValue }),
        },
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
      done(submit(parts, run, { type: 'run.pause', ...(interrupt !== undefined && { interrupt }) }, context)),
    resumeRun: ({ params: { run } }, context) => done(tell(parts, run, { type: 'resume' }, context)),
    stopRun: ({ params: { run } }, context) => done(tell(parts, run, { type: 'stop' }, context)),
    finishRun: ({ params: { run }, body }, context) =>
      done(submit(parts, run, { type: 'run.finish', ok: body.ok, summary: body.summary }, context)),
    setMode: async ({ params: { run }, body: { mode, globalMode } }, context) => {
      if (mode === undefined && globalMode === undefined)
        return fail(badField('mode', 'or globalMode is needed'));
      const modes = { ...(mode && { mode }), ...(globalMode && { globalMode }) };
      return done(submit(parts, run, { type: 'run.mode', ...modes }, context));
    },
    setLimits: async ({ params: { run }, body: { id: _, ...limits } }, context) => {
      if (Object.keys(limits).length === 0) return fail(badField('body', 'no limit is named'));
      return done(submit(parts, run, { type: 'run.limit', limits }, context));
    },
    raiseBudget: async ({ params: { run }, body: { node, turns, tokens, usd } }, context) => {
      if (node !== undefined) {
        const read = await readRun(parts, run);
        if (!read.ok) return read;
        const nodes = Object.values(read.value.state.nodes).map((each) => each.node);
        if (findNode(nodes, node) === undefined) return fail(badField('node', 'no such node in this run'));
      }
      const to = {
        ...(turns === undefined ? {} : { turns }),
        ...(tokens === undefined ? {} : { tokens }),
        ...(usd === undefined ? {} : { usd }),
      };
      if (Object.keys(to).length === 0) return fail(badField('turns', 'or tokens or usd is needed'));
      const word = { type: 'raise', to, ...(node === undefined ? {} : { lane: node }) } as const;
      return done(tell(parts, run, word, context));
    },
    resolveDoubt: async ({ params: { run, effect }, body: { outcome } }, context) => {
      if (outcome === 'not-done') return done(tell(parts, run, { type: 'settle', effect, outcome }, context));
      const kind = await parts.runs.kindOf(run as RunId);
      if (kind === 'team' || kind === undefined)
        return done(submit(parts, run, { type: 'effect.resolve', effect, outcome }, context));
      const known = outcome.ok ? { result: textOf(outcome.output) } : 'unknown';
      return done(tell(parts, run, { type: 'settle', effect, outcome: known }, context));
    },
  });
}

type Body = Partial<Record<'team' | 'goal' | 'limits', unknown>> & {
  readonly target: string;
  readonly inputs?: Readonly<Record<string, string>> | undefined;
} & {
  readonly [name in Exclude<keyof StartCall, 'id' | 'by' | 'target' | 'budget'>]?:
    | StartCall[name]
    | undefined;
} & {
  readonly budget?: { readonly [unit in 'turns' | 'tokens' | 'usd']?: number | undefined } | undefined;
};

/** Starts a run of any kind. What belongs to the older form of the call is named in its place. */
async function startTarget(
  { runs }: TeamParts,
  { team, goal, limits, target, input, budget, provider, model, script, options, inputs, label }: Body,
  said: Pick<StartCall, 'id' | 'by'>,
) {
  const stray = Object.entries({ team, goal, limits }).find(([, value]) => value !== undefined);
  if (stray !== undefined)
    return fail(badField(stray[0], 'belongs to a team that is started without a target'));
  const more = withInputs(target, inputs, options as Readonly<Record<string, JsonValue>> | undefined);
  if (!more.ok) return more;
  const started = await runs.begin({
    ...said,
    target,
    ...(input === undefined ? {} : { input }),
    ...(budget === undefined ? {} : { budget: budget as NonNullable<StartCall['budget']> }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(script === undefined ? {} : { script }),
    ...(more.value === undefined ? {} : { options: more.value }),
    ...(label === undefined ? {} : { label }),
  });
  if (started.ok) return started;
  const error = fromHost(started.error);
  return fail(error.status === 400 ? { ...error, field: error.field ?? 'target' } : error);
}

/** The result of a call as its model reads it. */
const textOf = (output: JsonValue): string => (typeof output === 'string' ? output : JSON.stringify(output));
