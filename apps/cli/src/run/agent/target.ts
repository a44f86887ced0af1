import type { AgentData, DefinitionSource, KeptProject } from '@cuebook/define';
import { hasErrors } from '@cuebook/prompt';
import { type Call, flagValue, flagValues } from '../../command.js';
import { diagnosed, Failure, usage } from '../../failure.js';
import { readInput } from '../../input/flags.js';
import type { Io } from '../../io.js';
import { problemLine } from '../../output/diagnostics.js';
import type { Bench } from '../../project/bench.js';
import { type CalledTarget, openCalled } from '../../project/target.js';

/** What a call wants of an agent, or of a prompt that runs by itself. */
export interface AgentCall {
  readonly bench: Bench;
  /** As a run is started with it: `agent:NAME` or `prompt:NAME`. */
  readonly target: string;
  /** The agent as it is now; undefined for a prompt, and for a thread that has begun, which has its own. */
  readonly definition: AgentData | undefined;
  /** The project as it was read for that. */
  readonly project: KeptProject | undefined;
  readonly input: string | undefined;
  readonly attachments: readonly string[];
  readonly env: Values;
  readonly accountEnv: Values;
  readonly instanceEnv: Values;
}

type Values = Readonly<Record<string, string>>;

/**
 * Reads the target and the flags of a call; what is wrong with the agent's definitions is a failure. A thread that has
 * begun runs those of its beginning: they are not looked at here.
 */
export async function readAgentCall(call: Call): Promise<AgentCall> {
  const { flags, io } = call;
  const { bench, target, profile, text } = await openCalled(call);
  if (target.revision !== undefined)
    throw usage('A thread runs the project as it is: leave the revision out');
  const isBegun = flagValue(flags, 'run') !== undefined;
  const found = isBegun ? undefined : await requireDefinition({ bench, target, profile }, io);
  const given = profile.input.safeParse((await readInput(profile, flags, io)) ?? {});
  if (!given.success)
    throw new Failure('E_INPUT', given.error.issues[0]?.message ?? 'The input does not fit');
  const { input, env, accountEnv, instanceEnv } = given.data as {
    readonly input?: string;
    readonly env: Values;
    readonly accountEnv: Values;
    readonly instanceEnv: Values;
  };
  return {
    bench,
    target: text,
    definition: profile.prefix === 'agent' ? (found?.entry.data as AgentData | undefined) : undefined,
    project: found?.kept(),
    input,
    attachments: flagValues(flags, 'attach'),
    env,
    accountEnv,
    instanceEnv,
  };
}

async function requireDefinition(
  { bench, target, profile }: Pick<CalledTarget, 'bench' | 'target' | 'profile'>,
  io: Io,
): Promise<DefinitionSource<object>> {
  const loaded = await profile.load(bench.project, target.name);
  if (!loaded.ok) throw diagnosed(loaded.diagnostics);
  const problems = profile.check(loaded.value);
  if (hasErrors(problems)) throw diagnosed(problems);
  for (const problem of problems) {
    // A variable that is open in the definitions is what --env is for.
    if (problem.code !== 'W_VARIABLE_OPEN') io.err(problemLine(io, 'err', problem));
  }
  return loaded.value as DefinitionSource<object>;
}
