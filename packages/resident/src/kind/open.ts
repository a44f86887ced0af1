import { randomUUID } from 'node:crypto';
import { type Engine, resolveLimit } from '@cuebook/engine';
import {
  diagnosed,
  engineError,
  type HostError,
  type Opening,
  type OpenRun,
  openRunVoices,
  refuse,
  type Word,
} from '@cuebook/host';
import { createRecorder, type RunId } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { AGENT_FILE, type AgentFile, readAgentFile } from '../agent-file.js';
import { openAgentDesk } from '../agent-home.js';
import { RESIDENT_LANE } from '../life/decide.js';
import { RESIDENT_EVENTS } from '../life/event-types.js';
import type { ResidentCommand, ResidentConfig, ResidentState } from '../life/state.js';
import { createResident, RESIDENT_DEFAULTS } from '../resident.js';

/** The agent of a target such as `resident:ada`. */
export const agentOf = (target: string): string => target.replace(/^resident:/, '');

/** Opens the life of the agent whose folder the project is. */
export async function openResidentRun({
  run,
  call,
  ground,
  start,
}: Opening): Promise<Result<OpenRun, HostError>> {
  const agent = agentOf(call.target);
  const file = await readHome(ground, agent);
  if (!file.ok) return file;
  const [stray] = Object.keys(start?.options ?? {});
  if (stray !== undefined || start?.input !== undefined)
    return refuse('invalid', 'E_INPUT', 'The life of an agent takes no input and no options.');
  const voices = openRunVoices(ground.providers, call);
  if (!voices.ok) return voices;
  const provider = voices.value.find();
  if (!provider.ok) return fail({ ...provider.error, kind: 'invalid' });
  const { model } = call;
  const config = residentConfig(file.value, {
    priced: voices.value.isPriced(model),
    // Words of a rehearsal that nobody asked for are for nobody's eyes.
    silent:
      call.provider === undefined &&
      call.script === undefined &&
      ground.providers.config.provider === undefined,
    more: start?.budget,
  });
  if (!config.ok) return config;
  const desk = await openAgentDesk(file.value, ground);
  if (!desk.ok) return fail({ ...desk.error, kind: 'unavailable' });
  const { store, redactor, signer, clock, leaseMs, fault } = ground;
  const engine = createResident({
    ...{ agent, store, clock, leaseMs, desk: desk.value, config: config.value },
    recorder: createRecorder({ store, signer }),
    voice: { provider: provider.value, redactor, ...(model === undefined ? {} : { model }) },
    // Another name for each opening: two of one name would be given one lease.
    owner: `${ground.owner} ${randomUUID()}`,
    publish: (event, { effect }) => ground.publish({ run, node: RESIDENT_LANE, effect }, event),
    ...(fault === undefined ? {} : { fault }),
  });
  return ok(openRun(engine, { run, agent, config: config.value, store }));
}

async function readHome({ files }: Opening['ground'], agent: string): Promise<Result<AgentFile, HostError>> {
  const text = await files.readText(AGENT_FILE);
  if (!text.ok)
    return refuse('invalid', 'E_AGENT_FILE', `The project has no ${AGENT_FILE} that can be read.`);
  const read = readAgentFile(text.value);
  if (!read.ok) return diagnosed(read.diagnostics);
  if (read.value.agent === agent) return ok(read.value);
  return refuse('invalid', 'E_RESIDENT', `${AGENT_FILE} is that of resident:${read.value.agent}.`);
}

/** How an agent lives, as its file says; `more`: the budget of a day that a call names. */
export function residentConfig(
  file: AgentFile,
  {
    priced,
    silent = false,
    more = {},
  }: {
    readonly priced: boolean;
    /** Nobody was chosen to speak. */
    readonly silent?: boolean;
    readonly more?: AgentFile['budget'] | undefined;
  },
): Result<ResidentConfig, HostError> {
  const given = Object.entries({ ...file.budget, ...more }).filter(([, value]) => value !== undefined);
  const budget = resolveLimit(
    { turns: RESIDENT_DEFAULTS.budget.turns, ...Object.fromEntries(given) },
    { priced },
  );
  if (!budget.ok) return fail({ ...budget.error, kind: 'invalid' });
  return ok({
    ...RESIDENT_DEFAULTS,
    budget: budget.value,
    pollMs: file.poll_seconds * 1000,
    zone: file.zone,
    reportHour: file.report_hour,
    ...(silent && { silent }),
  });
}

interface Life {
  readonly run: RunId;
  readonly agent: string;
  readonly config: ResidentConfig;
  readonly store: Opening['ground']['store'];
}

function openRun(
  engine: Engine<ResidentState, ResidentCommand>,
  { run, agent, config, store }: Life,
): OpenRun {
  const end = new AbortController();
  let closed: Promise<void> | undefined;
  const submit = async (id: string, command: ResidentCommand): Promise<Result<JsonValue, HostError>> => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(engineError(done.error));
  };
  return {
    begin: (_call, id) => submit(id, { type: 'resident.start', agent, config }),
    async tell(word, { id, by }) {
      const command = commandOf(word, by);
      if (command !== undefined) return submit(id, command);
      return refuse('invalid', 'E_WORD_UNKNOWN', `The life of an agent takes no ${word.type}.`);
    },
    take: async () => (await engine.start()).ok,
    /** A life goes on between its rounds: it is over when the agent is stopped, and here when a newer version has taken part. */
    async drain() {
      await engine.drain();
      const { state, seq, strange } = await engine.read(run);
      if (state.mode === 'stopped' || strange !== undefined || end.signal.aborted) return;
      for await (const { type } of store.subscribe({ run, after: seq, signal: end.signal })) {
        if (type === 'resident.stopped') break;
        if (!Object.hasOwn(RESIDENT_EVENTS, type) && (await engine.read(run)).strange !== undefined) break;
      }
      await engine.drain();
    },
    close(options) {
      end.abort();
      closed ??= engine.stop(options);
      return closed;
    },
  };
}

function commandOf(word: Exclude<Word, { readonly type: 'go-on' }>, by: string): ResidentCommand | undefined {
  switch (word.type) {
    case 'raise':
      return { type: 'resident.raise', to: word.to, by };
    case 'resume':
      return { type: 'resident.resume' };
    case 'interrupt':
    case 'stop':
      return { type: 'resident.stop' };
    default:
      return undefined;
  }
}
