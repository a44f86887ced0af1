import { resolve } from 'node:path';
import {
  createWorkflowProfile,
  type DataContext,
  type RunCall,
  type RunFacts,
  readTurn,
  type Workflow,
} from '@cuebook/workflow';
import { type Call, flagValue, flagValues } from '../../command.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import { readInput } from '../../input/flags.js';
import { insideName, type RunTarget } from './target.js';

/** What a call says about a run. */
export interface Given {
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId' | 'autopilot' | 'call'>;
  readonly input: string | undefined;
  /** A file that the conversation is about. */
  readonly data: DataContext | undefined;
  /** The workflow that is run: the one of the target, or the one that an item of a menu names. */
  readonly workflow: Workflow;
}

/** Reads the flags of a call; what does not fit together is a wrong call. */
export async function readGiven(call: Call, target: RunTarget): Promise<Given> {
  const { flags, io } = call;
  const raw = await readInput(createWorkflowProfile(), flags, io);
  for (const name of ['state', 'intent', 'voice']) {
    if (raw?.[name] !== undefined)
      throw usage(`--${name} is for render: a run keeps its own. Go on with --run ID`);
  }
  const parsed = createWorkflowProfile().input.safeParse(raw ?? {});
  if (!parsed.success)
    throw new Failure('E_INPUT', parsed.error.issues[0]?.message ?? 'The input does not fit');
  const { mode, activeAgent, autopilot } = parsed.data;
  const isGoingOn = flagValue(flags, 'run') !== undefined;
  if (isGoingOn && KEPT.some((name) => raw?.[name] !== undefined)) {
    throw usage('A run keeps its mode, its agent, its autopilot and its data: leave them out with --run');
  }
  if (!isGoingOn && (flagValues(flags, 'answer').length > 0 || flags.settle !== undefined)) {
    throw usage('--answer and --settle are for a run that waits: name it with --run ID');
  }
  const { agents } = target.package;
  const activeAgentId = activeAgent ?? [...agents.keys()][0] ?? '';
  if (!agents.has(activeAgentId)) {
    throw usage(
      `No agent of the package has the id "${activeAgentId}". There are ${[...agents.keys()].join(', ')}`,
    );
  }
  const turn = readTurn(target, { ...parsed.data, activeAgent: activeAgentId });
  if (!turn.ok) throw diagnosed(turn.diagnostics);
  const { input, data } = turn.value;
  if (!isGoingOn && mode !== 'run' && (input ?? '').trim() === '') {
    throw usage(`A conversation begins with a word: --mode ${mode} --input TEXT`);
  }
  const workflow = turn.value.mode.kind === 'run' ? turn.value.mode.workflow : target.workflow;
  const own = callOf(call, target, workflow);
  const facts = { mode, activeAgentId, autopilot, ...(own === undefined ? {} : { call: own }) };
  return { facts, input, data, workflow };
}

/** What a run is begun with and keeps. */
const KEPT = ['mode', 'activeAgent', 'autopilot', 'menu', 'data'];

/**
 * The call as a later process can make it; undefined for a package from outside the project. A script from outside is
 * in the note of the run alone.
 */
function callOf({ flags, io }: Call, target: RunTarget, workflow: Workflow): RunCall | undefined {
  const { name, bench } = target;
  if (name === undefined) return undefined;
  const named = flagValue(flags, 'script');
  const script = named === undefined ? undefined : insideName(bench.folder, resolve(io.cwd, named));
  const isElsewhere = named !== undefined && script === undefined;
  const provider = flagValue(flags, 'provider') ?? (isElsewhere ? 'rehearsal' : undefined);
  const model = flagValue(flags, 'model');
  return {
    target: workflow === target.workflow ? name : `${name.split('#')[0]}#${workflow.id}`,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(script === undefined ? {} : { script }),
  };
}
