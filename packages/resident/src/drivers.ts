import { canonicalBytes, checkOutput, KEYS, keysBelow } from '@cuebook/bundle';
import {
  createTurnDriver,
  type Driver,
  type Drivers,
  hideCredentials,
  NO_APPROVALS,
  type RunLook,
  type RunPort,
  readTurnOutcome,
  type TurnRecorder,
} from '@cuebook/engine';
import { guarded } from '@cuebook/guard';
import type { RunId } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { composeRequest, describeRefusal, fail, type JsonValue, ok, type Redactor } from '@cuebook/prompt';
import type { Provider, Session, TurnEvent } from '@cuebook/provider';
import { type ComposedDeed, composeDeed, sha256 } from './compose.js';
import type { Desk } from './desk.js';
import type { ScenarioAnswer } from './life/answer.js';
import type { Deed } from './life/deed.js';
import type { CreatedObject } from './life/objects-of.js';
import type { DeedDone, ResidentCommand, ResidentState } from './life/state.js';
import { lookAround } from './look/look.js';

export interface DriverOptions {
  readonly desk: Desk;
  readonly voice: ResidentVoice;
  readonly recorder: TurnRecorder;
  /** A heartbeat that is older counts as offline. */
  readonly onlineMs: number;
  readonly publish?: (event: TurnEvent, place: { readonly run: RunId; readonly effect: string }) => void;
  /** The life itself, so that a turn ends when the agent is stopped; left out: a turn runs to its end. */
  readonly port?: (run: RunId) => RunPort<ResidentState, ResidentCommand>;
}

/** Who speaks for the agent. */
export interface ResidentVoice {
  readonly provider: Provider;
  readonly model?: string;
  readonly redactor: Redactor;
}

/** Everything that an agent does to the world. Each may be done again: see `onCrash` of its intents. */
export const residentDrivers = (options: DriverOptions): Drivers => ({
  'resident.sync': syncDriver(options.desk),
  'resident.look': lookDriver(options),
  'scenario.turn': scenarioDriver(options),
  'objects.create': createDriver(options.desk),
});

/** For a sync alone: what a life that was cut off had begun is given up. */
export const syncDrivers = (desk: Desk): Drivers => ({
  'resident.sync': syncDriver(desk),
  'resident.look': STOPPED,
  'scenario.turn': STOPPED,
  'objects.create': createDriver(desk),
});

const failing = (code: string, message: string) => ({ ok: false, error: { code, message } }) as const;
const STOPPED: Driver = { perform: async () => failing('E_RESIDENT', 'The agent was stopped before this.') };

const syncDriver = (desk: Desk): Driver => ({
  async perform(_effect, { now }) {
    const facts = await desk.sync(now());
    return facts.ok
      ? { ok: true, output: asJson(facts.value) }
      : failing(facts.error.code, 'The trust state could not be read or written.');
  },
});

const lookDriver = ({ desk, onlineMs }: DriverOptions): Driver => ({
  async perform(effect, { now }) {
    const accepted = await desk.accepted(now());
    if (accepted === undefined) return failing('E_RESIDENT', 'There is no verified bundle.');
    const { heard } = effect.input as { readonly heard: string };
    const at = now();
    const beat = () => desk.beat(at);
    const sight = await lookAround({ objects: desk.objects, accepted, now: at, onlineMs, heard, beat });
    return sight.ok
      ? { ok: true, output: asJson(sight.value) }
      : failing(sight.error.code, `The store said: ${sight.error.reason}.`);
  },
});

/** Composes, speaks with the certified parameters, and checks the answer against its contract. */
function scenarioDriver({ desk, voice, recorder, publish, port }: DriverOptions): Driver {
  const said = new Map<string, Said>();
  const turns = createTurnDriver<ResidentState>({
    recorder,
    redactor: voice.redactor,
    voice: { provider: voice.provider.name, ...(voice.model && { model: voice.model }) },
    ...(publish && { publish }),
    ...(port && { port: port as never, look: RESIDENT_LOOK, acts: false }),
    session: ({ id }) => said.get(id)?.session as Session,
    async compose({ id }) {
      const composed = said.get(id)?.composed;
      if (composed === undefined) return fail({ code: 'E_RESIDENT', message: 'Nothing was composed.' });
      const { blocks, params, sources, files } = composed;
      const request = composeRequest({ blocks, params, sources, hash: sha256, redactor: voice.redactor });
      if (request.ok) return ok({ request: request.value, files });
      const [first] = request.error;
      return fail({
        code: first?.code ?? 'E_RESIDENT',
        message: first ? describeRefusal(first) : 'Refused.',
      });
    },
  });
  return {
    async perform(effect, context) {
      const { deed, problems, session: before } = effect.input as unknown as SpeechInput;
      const now = context.now();
      const accepted = await desk.accepted(now);
      if (accepted === undefined) return failing('E_RESIDENT', 'There is no verified bundle.');
      const target = deed.target === undefined ? undefined : await desk.card(deed.target, now);
      const composed = composeDeed({ accepted, deed, target, problems });
      if (!composed.ok) return failing(composed.error.code, 'The scenario cannot be filled.');
      const { agent_id, name, persona, personality } = accepted.card;
      const { scenario } = composed.value;
      const session = openSession(voice, [`${agent_id}/${scenario.id}`, agent_id, scenario.id], before);
      said.set(effect.id, { composed: composed.value, session });
      try {
        const outcome = await turns.perform(effect, context);
        if (!outcome.ok) return outcome;
        const turn = readTurnOutcome(outcome);
        // What is posted is for others to read: it needs no credential.
        const said = await hideCredentials(voice.redactor, turn.text);
        const checked = checkOutput(scenario, said, { persona, name, policy: deed.policy });
        const isDone = turn.end.reason === 'done';
        const answer: ScenarioAnswer = {
          failed: isDone ? null : (turn.end.code ?? `turn ${turn.end.reason}`),
          problems: checked.ok ? [] : checked.error.problems,
          value: checked.ok ? checked.value : null,
          version: scenario.version,
          cohort: accepted.bundle.cohorts[scenario.id] ?? null,
          ...(voice.provider.kind === 'cli' && { presetNotTaken: true }),
          personality,
          ...(target && { target: { agent: target.agent_id, version: target.card_version } }),
          ...(turn.usage && { usage: turn.usage }),
          ...(turn.rehearsal && turn.sessionId !== undefined && { session: turn.sessionId }),
        };
        return { ok: true, output: answer as unknown as JsonValue };
      } finally {
        said.delete(effect.id);
        await session.close();
      }
    },
  };
}

interface SpeechInput {
  readonly deed: Deed;
  readonly problems: readonly string[];
  /** Where the script of a rehearsal stands. */
  readonly session?: string;
}

interface Said {
  readonly composed: ComposedDeed;
  readonly session: Session;
}

/** A CLI agent may read and think, and touches nothing. */
const openSession = (
  { provider, model, redactor }: ResidentVoice,
  names: readonly string[],
  before: string | undefined,
): Session =>
  provider.open({
    ...{ names, redactor, access: 'plan' },
    ...(model !== undefined && { model }),
    // Each turn is told whole: only a script goes on where it was.
    ...(before !== undefined && provider.kind === 'rehearsal' && { resume: before }),
  });

/** Nobody wants the turn of an agent that was stopped. */
const RESIDENT_LOOK: RunLook<ResidentState> = {
  isStopped: ({ mode, effect }, of) => (mode === 'stopped' || effect !== of ? true : undefined),
  resultOf: () => undefined,
  approvalsOf: () => NO_APPROVALS,
};

/** Creates the objects of a deed, each at most once: what is there already stays as it is. */
const createDriver = (desk: Desk): Driver => ({
  async perform(effect) {
    const { objects, done } = effect.input as unknown as {
      readonly objects: readonly CreatedObject[];
      readonly done: Omit<DeedDone, 'written'>;
    };
    let written = false;
    for (const { key, body } of objects) {
      const bytes = canonicalBytes(body);
      if (bytes === undefined) return failing('E_JSON', 'The object is not JSON.');
      const once = guarded('resident.create-once', () => ({ ifAbsent: true }));
      const put = await desk.objects.put(key, bytes, once);
      if (!put.ok && put.error.reason !== 'exists')
        return failing(put.error.code, `The store said: ${put.error.reason}.`);
      written ||= put.ok;
    }
    // Who only answers whether to take part may not write there yet.
    const isIn = done.scenario !== 'collab_join';
    if (isIn) for (const { key, body } of objects) await putIndex(desk, key, body.agent_id);
    return { ok: true, output: asJson({ ...done, written }) };
  },
});

/**
 * Lists what the agent has in its folder of a task, for who looks at it without listing. It may lag behind: where it
 * cannot be written now, the next deed in the task writes it anew.
 */
async function putIndex({ objects }: Desk, key: string, agent: string): Promise<void> {
  const task = /^tasks\/([^/]+)\/agents\//.exec(key)?.[1];
  if (task === undefined) return;
  const index = KEYS.taskIndex(task, agent);
  const keys = (await keysBelow(objects, KEYS.taskFolder(task, agent))).filter((each) => each !== index);
  const bytes = canonicalBytes({
    kind: 'task_index',
    schema_version: 1,
    agent_id: agent,
    task_id: task,
    keys,
  });
  if (bytes !== undefined) await objects.put(index, bytes);
}
