import { join } from 'node:path';
import type { PortError } from '@cuebook/engine';
import {
  conversationCommand,
  diagnosed,
  type HostError,
  type Opening,
  type OpenRun,
  openLogins,
  openRunVoices,
  refusalError,
  refuse,
  type StartCall,
} from '@cuebook/host';
import { createRecorder } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { type AnswerTool, answeredServers, connectServers, NO_SERVERS } from '@cuebook/provider/servers';
import { z } from 'zod';
import type { DataContext } from '../compose/data-context.js';
import type { Workflow } from '../package/package.js';
import { readTurn } from '../profile.js';
import type { RunFacts } from '../run/machine/facts.js';
import { WORKFLOW_LANE } from '../run/machine/machine.js';
import { openWorkflowRun, type WorkflowRun } from '../run/run.js';
import { allowedServers } from '../settings/settings.js';
import type { ProgramRunner } from '../tool/context.js';
import { terminalTool } from '../tool/terminal.js';
import { readBegun } from './begun.js';
import { type LoadedWorkflow, loadHostedWorkflow } from './load.js';

/** What only a workflow is started with. */
const optionsSchema = z.strictObject({
  mode: z.enum(['run', 'agent', 'chat']).default('run'),
  activeAgent: z.string().max(200).optional(),
  autopilot: z.boolean().default(false),
  menu: z.string().max(200).optional(),
  /** A file that the conversation is about. */
  data: z
    .strictObject({ label: z.string().max(1_000), path: z.string().max(4_000), text: z.string() })
    .optional(),
});

/** A workflow that whoever begins a run of it, or goes on with one, has read already. */
export interface HandedWorkflow {
  readonly source: LoadedWorkflow;
  /** The entry of the vault that it is from; left out: the run begins with it. */
  readonly entry?: string | undefined;
  /** The package is not of the project: the log does not name it. */
  readonly isForeign: boolean;
}

/** Opens a workflow of the project for one run. With `answer` no program is run and no server is called. */
export async function openHostedRun(
  opening: Opening,
  { answer, handed }: { readonly answer?: AnswerTool; readonly handed?: HandedWorkflow } = {},
): Promise<Result<OpenRun, HostError>> {
  const { run, call, ground } = opening;
  const voices = openRunVoices(ground.providers, call);
  if (!voices.ok) return voices;
  const found = voices.value.find();
  if (!found.ok) return fail({ ...found.error, kind: 'invalid' });
  const provider = found.value;
  const begun = opening.start === undefined ? await readBegun(ground.store, run) : undefined;
  if (begun?.ok === false) return begun;
  // A run that was moved to another package meanwhile is not one of what was read before.
  const read = handed?.entry === begun?.value.entry ? handed?.source : undefined;
  const loaded =
    read === undefined ? await loadHostedWorkflow(call.target, ground, begun?.value.kept) : ok(read);
  if (!loaded.ok) return loaded;
  const given =
    opening.start === undefined
      ? earlier(begun?.value.facts as RunFacts, loaded.value)
      : readStart(opening.start, loaded.value, handed);
  if (!given.ok) return given;
  const { facts, workflow, data, input } = given.value;
  const { settings, kept } = loaded.value;
  const { redactor, folder, homeFolder: home, store, hash } = ground;
  const reached =
    settings.tools.mcp?.enabled === true
      ? await connectServers(allowedServers(settings), {
          ...{ env: ground.providers.env, cwd: folder, redactor },
          logins: openLogins(async () => ground.home),
        })
      : NO_SERVERS;
  const servers = answer === undefined ? reached : answeredServers(reached, answer);
  for (const problem of servers.problems) ground.onProblem(problem, { run });
  let turn = '';
  const { model } = call;
  const { overhear = (session) => session } = ground;
  const speak = (names: readonly string[], asked: string | undefined, resume: string | undefined) =>
    overhear(
      provider.open({
        ...{ redactor, cwd: folder, home, access: 'plan', names },
        ...(asked === undefined ? {} : { model: asked }),
        ...(resume === undefined ? {} : { resume }),
      }),
    );
  const opened = await openWorkflowRun({
    run,
    store,
    recorder: createRecorder({ store, signer: ground.signer }),
    package: loaded.value.package,
    workflow,
    facts: { ...(settings.maxTurns === undefined ? {} : { maxTurns: settings.maxTurns }), ...facts },
    places: { project: folder, pkg: loaded.value.pkg, folder: join(home, 'workflows', run), home },
    kept,
    entry: begun?.value.entry,
    settings: kept.tools,
    allowed: settings.tools,
    servers,
    ...(answer === undefined ? {} : { programs: answeredPrograms(answer) }),
    ...(data === undefined ? {} : { data }),
    ...(settings.contextTokens === undefined ? {} : { contextTokens: settings.contextTokens }),
    voice: {
      provider: provider.name,
      kind: provider.kind,
      priced: voices.value.isPriced(undefined),
      ...(model === undefined ? {} : { model }),
      open: (resume) => speak([workflow.id], model, resume),
      fallbacks: (settings.fallbacks ?? []).map((other) => ({
        model: other,
        priced: voices.value.hasPrice(other),
        open: (resume) => speak([other, workflow.id], other, resume),
      })),
    },
    redactor,
    hash,
    leaseMs: ground.leaseMs,
    onTurn: (effect) => {
      turn = effect;
    },
    publish: (event) => ground.publish({ run, node: WORKFLOW_LANE, effect: turn }, event),
    ...(ground.fault === undefined ? {} : { fault: { engine: ground.fault } }),
  });
  return opened.ok ? ok(openRun(opened.value, input)) : fail({ ...opened.error, kind: 'unavailable' });
}

const answeredPrograms = (answer: AnswerTool): ProgramRunner => ({
  run: async (args) => ({
    ...{ ok: true, exitCode: 0, stderr: '', durationMs: 0 },
    stdout: answer(terminalTool.name, args),
  }),
});

interface Given {
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId'> & Partial<RunFacts>;
  readonly workflow: Workflow;
  readonly data?: DataContext | undefined;
  readonly input?: string | undefined;
}

/** What a run was begun with. */
function earlier(facts: RunFacts, { package: own, workflow }: LoadedWorkflow): Result<Given, HostError> {
  const named = facts.workflow === workflow.id ? workflow : own.workflows.get(facts.workflow);
  if (facts.package === own.name && named !== undefined) return ok({ facts, workflow: named });
  return refuse('conflict', 'E_RUN_TARGET', `The run is one of ${facts.package}#${facts.workflow}.`);
}

function readStart(
  call: StartCall,
  source: LoadedWorkflow,
  handed: HandedWorkflow | undefined,
): Result<Given, HostError> {
  const options = optionsSchema.safeParse(call.options ?? {});
  if (!options.success)
    return refuse(
      'invalid',
      'E_INPUT',
      `options: ${options.error.issues[0]?.message ?? 'do not fit a workflow'}`,
    );
  const { mode, autopilot, activeAgent, menu, data: handedIn } = options.data;
  const { agents } = source.package;
  const activeAgentId = activeAgent ?? [...agents.keys()][0] ?? '';
  if (!agents.has(activeAgentId))
    return refuse('invalid', 'E_INPUT', `There is no such agent: ${[...agents.keys()].join(', ')}.`);
  const turn = readTurn(source, {
    ...{ mode, autopilot, activeAgent: activeAgentId },
    ...(call.input === undefined ? {} : { input: call.input }),
    ...(menu === undefined ? {} : { menu }),
    ...(handedIn === undefined ? {} : { data: handedIn }),
  });
  if (!turn.ok) return diagnosed(turn.diagnostics);
  const { input, data } = turn.value;
  if (mode !== 'run' && (input ?? '').trim() === '')
    return refuse('invalid', 'E_INPUT', 'A conversation begins with a word.');
  const workflow = turn.value.mode.kind === 'run' ? turn.value.mode.workflow : source.workflow;
  const { target, provider, model, script, scriptFile } = call;
  const named = workflow === source.workflow ? target : `${target.split('#')[0]}#${workflow.id}`;
  // The words of a script are in the note of the run: the log names the file of one that lies in the project.
  const isUnnamed = script !== undefined && scriptFile === undefined;
  const voice = provider ?? (isUnnamed ? 'rehearsal' : undefined);
  const own = {
    target: named,
    ...(voice === undefined ? {} : { provider: voice }),
    ...(model === undefined ? {} : { model }),
    ...(scriptFile === undefined ? {} : { script: scriptFile }),
  };
  return ok({
    facts: { mode, activeAgentId, autopilot, ...(handed?.isForeign === true ? {} : { call: own }) },
    workflow,
    data,
    input,
  });
}

function openRun(run: WorkflowRun, input: string | undefined): OpenRun {
  let closed: Promise<void> | undefined;
  return {
    begin: async ({ by, budget }) =>
      hosted(
        await run.begin({
          by,
          ...(input === undefined ? {} : { text: input }),
          ...(budget === undefined ? {} : { budget }),
        }),
      ),
    async tell(word, { id, by }) {
      const command = conversationCommand(word, by);
      if (command === undefined)
        return refuse('invalid', 'E_WORD_UNKNOWN', `A workflow takes no ${word.type}.`);
      return hosted(await run.submit(id, command));
    },
    isMoved: () => run.isMoved(),
    take: () => run.take(),
    drain: () => run.drain(),
    close(options) {
      closed ??= run.close(options);
      return closed;
    },
  };
}

const hosted = (done: Result<JsonValue, PortError>): Result<JsonValue, HostError> =>
  done.ok ? done : fail(refusalError(done.error));
