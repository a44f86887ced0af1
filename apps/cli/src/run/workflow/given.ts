import { resolve } from 'node:path';
import { createWorkflowProfile, type RunCall, type RunFacts } from '@cuebook/workflow';
import { type Call, flagValue, flagValues } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { readInput } from '../../input/flags.js';
import { insideName, type RunTarget } from './target.js';

/** What a call says about a run. */
export interface Given {
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId' | 'autopilot' | 'call'>;
  readonly input: string | undefined;
}

/** Reads the flags of a call; what does not fit together is a wrong call. */
export async function readGiven(call: Call, target: RunTarget): Promise<Given> {
  const { flags, io } = call;
  const raw = await readInput(createWorkflowProfile(), flags, io);
  for (const name of ['state', 'intent']) {
    if (raw?.[name] !== undefined)
      throw usage(`--${name} is for render: a run keeps its own. Go on with --run ID`);
  }
  const parsed = createWorkflowProfile().input.safeParse(raw ?? {});
  if (!parsed.success)
    throw new Failure('E_INPUT', parsed.error.issues[0]?.message ?? 'The input does not fit');
  const { mode, activeAgent, autopilot, input } = parsed.data;
  const isGoingOn = flagValue(flags, 'run') !== undefined;
  if (isGoingOn && ['mode', 'activeAgent', 'autopilot'].some((name) => raw?.[name] !== undefined)) {
    throw usage('A run keeps its mode, its agent and its autopilot: leave them out with --run');
  }
  if (!isGoingOn && (flagValues(flags, 'answer').length > 0 || flags.settle !== undefined)) {
    throw usage('--answer and --settle are for a run that waits: name it with --run ID');
  }
  if (!isGoingOn && mode !== 'run' && (input ?? '').trim() === '') {
    throw usage(`A conversation begins with a word: --mode ${mode} --input TEXT`);
  }
  const { agents } = target.package;
  const activeAgentId = activeAgent ?? [...agents.keys()][0] ?? '';
  if (!agents.has(activeAgentId)) {
    throw usage(
      `No agent of the package has the id "${activeAgentId}". There are ${[...agents.keys()].join(', ')}`,
    );
  }
  const own = callOf(call, target);
  return { facts: { mode, activeAgentId, autopilot, ...(own === undefined ? {} : { call: own }) }, input };
}

/** The call as a later process can make it; undefined where it names what lies outside the project. */
function callOf({ flags, io }: Call, { name, bench }: RunTarget): RunCall | undefined {
  const named = flagValue(flags, 'script');
  const script = named === undefined ? undefined : insideName(bench.folder, resolve(io.cwd, named));
  if (name === undefined || (named !== undefined && script === undefined)) return undefined;
  const provider = flagValue(flags, 'provider');
  const model = flagValue(flags, 'model');
  return {
    target: name,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(script === undefined ? {} : { script }),
  };
}
