import {
  createWorkflowProfile,
  type DataContext,
  type RunFacts,
  readTurn,
  type Workflow,
} from '@cuebook/workflow';
import { type Call, flagValue } from '../../command.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import { readInput } from '../../input/flags.js';
import { requireNoAnswer } from '../go-on.js';
import type { RunTarget } from './target.js';

/** What a call says about a run. */
export interface Given {
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId' | 'autopilot'>;
  /** How a later process calls it; undefined for a package from outside the project. */
  readonly target: string | undefined;
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
      throw usage(`--${name} is for render: a run keeps its own. Go on with --run RUN`);
  }
  const parsed = createWorkflowProfile().input.safeParse(raw ?? {});
  if (!parsed.success)
    throw new Failure('E_INPUT', parsed.error.issues[0]?.message ?? 'The input does not fit');
  const { mode, activeAgent, autopilot } = parsed.data;
  const isGoingOn = flagValue(flags, 'run') !== undefined;
  if (isGoingOn && KEPT.some((name) => raw?.[name] !== undefined)) {
    throw usage('A run keeps its mode, its agent, its autopilot and its data: leave them out with --run');
  }
  if (!isGoingOn) requireNoAnswer(flags);
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
  const facts = { mode, activeAgentId, autopilot };
  return { facts, target: namedAs(target, workflow), input, data, workflow };
}

/** What a run is begun with and keeps. */
const KEPT = ['mode', 'activeAgent', 'autopilot', 'menu', 'data'];

function namedAs({ name, workflow: own }: RunTarget, workflow: Workflow): string | undefined {
  return name === undefined || workflow === own ? name : `${name.split('#')[0]}#${workflow.id}`;
}
