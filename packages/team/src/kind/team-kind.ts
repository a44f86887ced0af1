import { type ApprovalRow, findWorker, type PerRunWork } from '@cuebook/engine';
import {
  byAge,
  type Ground,
  type HostError,
  type KindAtWork,
  type RunKind,
  refuse,
  replyWord,
  type StartCall,
  type Wait,
  type Word,
} from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import { isRootLead } from '../graph/node.js';
import { findNode } from '../graph/reference.js';
import type { PersonCommand, StartRun, TeamHost } from '../host/contract.js';
import { nodeScope, nodesOf, RUN_SCOPE, type TeamState } from '../run/state.js';
import { waitingCount } from '../run/waits.js';
import { teamView } from './view.js';
import { leftTeam, teamWaitList } from './waits.js';

/** Teams as a kind of run. What is specific to them, such as their graph, is asked of the team host itself. */
export const teamRuns = (team: TeamHost, handed?: Pick<PerRunWork, 'goOn'>): RunKind => ({
  name: 'team',
  prefixes: ['team'],
  begins: 'run.started',
  attach: (ground) => atWork(team, ground, handed),
});

function atWork(
  team: TeamHost,
  { store, wants }: Ground,
  handed: Pick<PerRunWork, 'goOn'> | undefined,
): KindAtWork {
  async function waitsOf(run: RunId, rows: readonly ApprovalRow[]): Promise<readonly Wait[]> {
    const read = await team.read(run);
    if (!read.ok) return [];
    const { state, seq } = read.value;
    const [last] = await store.read(run, { after: Math.max(0, seq - 1), limit: 1 });
    const place = { run, since: last?.at ?? 0 };
    const isOpen = state.status === 'running' || state.status === 'paused';
    if (isOpen && waitingCount(state) === 0 && (await findWorker(store, run)) === undefined)
      return [leftTeam(place, await wants?.('team', run))];
    const changes = await team.changes(run);
    const approvals = rows.filter((row) => row.run === run);
    return teamWaitList(state, { ...place, approvals, changes: changes.ok ? changes.value : new Map() });
  }
  return {
    start: () => team.start(),
    stop: (options) => team.stop(options),
    async begin(_run, call) {
      const input = startOf(call);
      return input.ok ? team.startRun(input.value) : input;
    },
    async tell(run, word, { id, by }) {
      if (word.type === 'go-on') return ok(null);
      const read = await team.read(run);
      if (!read.ok) return read;
      const command = commandOf(read.value.state, word, by);
      return command.ok ? team.submit(run, { ...command.value, id }) : command;
    },
    update: (run, { ground: { folder, files }, machine }, { id, by }) =>
      team.update(run, { id, by, folder, files, machine }),
    // A node that is new, or leads from now on, is asked without anybody's word.
    updateSpends: true,
    wordFor: replyWord,
    ...(handed && {
      async goOn(run: RunId) {
        await handed.goOn(run);
      },
    }),
    async report(run) {
      const read = await team.read(run);
      if (!read.ok) return read;
      const { state, seq } = read.value;
      const waits = await waitsOf(run, await team.approvals());
      return ok({ run, kind: 'team', seq, ...teamView(state), waits });
    },
    async waits({ run }) {
      const rows = await team.approvals();
      if (run !== undefined) return waitsOf(run, rows);
      const open = (await team.runs({ active: true })).filter(
        ({ status }) => status === 'running' || status === 'paused',
      );
      const all: Wait[] = [];
      for (const each of open) all.push(...(await waitsOf(each.run as RunId, rows)));
      return all.sort(byAge);
    },
    watch: (run, listener) => team.watch(run, listener),
    drain: () => team.drain(),
    active: async () => (await team.runs({ active: true })).map(({ run }) => run as RunId),
  };
}

function startOf({
  id,
  by,
  target,
  input,
  budget,
  script,
  options,
  provider,
  model,
}: StartCall): Result<StartRun, HostError> {
  if (provider !== undefined || model !== undefined)
    return refuse('invalid', 'E_INPUT', 'Each node names its provider and its model in the team file.');
  const { limits, team, ...more } = options ?? {};
  const { most, ...asked } = budget ?? {};
  const [stray] = Object.keys(more);
  if (stray !== undefined)
    return refuse('invalid', 'E_INPUT', `options: a team has no ${JSON.stringify(stray.slice(0, 80))}.`);
  return ok({
    id,
    by,
    team: typeof team === 'string' ? { text: team } : { file: target.replace(/^team:/, '') },
    ...(input === undefined ? {} : { goal: input }),
    // What limits leave is no part of the call: the same call again is the same run.
    ...(Object.keys(asked).length === 0 ? {} : { budget: asked }),
    ...(most && { most }),
    ...(limits === undefined ? {} : { limits: limits as NonNullable<StartRun['limits']> }),
    ...(script === undefined ? {} : { script }),
  });
}

function commandOf(
  state: TeamState,
  word: Exclude<Word, { readonly type: 'go-on' }>,
  by: string,
): Result<PersonCommand, HostError> {
  const lane = 'lane' in word ? word.lane : undefined;
  const nodes = nodesOf(state).map(({ node }) => node);
  const named = lane === undefined ? undefined : findNode(nodes, lane)?.id;
  if (lane !== undefined && named === undefined)
    return refuse('invalid', 'E_TEAM_NODE', 'The run has no such node.');
  switch (word.type) {
    case 'say': {
      const node = named ?? (nodes.find(isRootLead) ?? nodes[0])?.id ?? '';
      return ok({ type: 'node.message', node, text: word.text, by });
    }
    case 'approve': {
      const { type: _, ...answer } = word;
      return ok({ type: 'approval.resolve', by, ...answer });
    }
    case 'settle': {
      const { effect, outcome } = word;
      if (outcome === 'not-done') return ok({ type: 'effect.resolve', effect, outcome, by });
      if (outcome === 'unknown') return ok({ type: 'effect.resolve', effect, outcome: UNKNOWN, by });
      return ok({ type: 'effect.resolve', effect, outcome: { ok: true, output: outcome.result }, by });
    }
    case 'raise': {
      const scope = named === undefined ? RUN_SCOPE : nodeScope(named);
      return ok({ type: 'budget.raise', scope, to: word.to, by });
    }
    case 'resume':
      return ok(named === undefined ? { type: 'run.resume', by } : { type: 'node.resume', node: named, by });
    case 'interrupt':
      return ok(
        named === undefined
          ? { type: 'run.pause', interrupt: true, by }
          : { type: 'node.interrupt', node: named, by },
      );
    case 'stop':
      return ok({ type: 'run.stop', by });
    case 'finish':
      return ok({ type: 'run.finish', ok: word.ok, summary: word.summary, by });
  }
}

const UNKNOWN = {
  ok: false,
  error: { code: 'E_TOOL_OUTCOME_UNKNOWN', message: 'Nobody can say whether it was done.' },
} as const;
