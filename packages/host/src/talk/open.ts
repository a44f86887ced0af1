import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createConversationPort,
  createEngine,
  createHeldSessions,
  createTurnDriver,
  type Drivers,
  type EffectResolve,
  type Engine,
  inProcess,
  statusOf,
  type ToolCallInput,
} from '@cuebook/engine';
import { createRecorder } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { Provider } from '@cuebook/provider';
import type { HostError } from '../contract.js';
import { engineError, refuse } from '../errors.js';
import { keepSources, type RunSources, readSources } from '../kept-sources.js';
import type { OpenRun } from '../open-run.js';
import type { Opening } from '../per-run-kind.js';
import { openRunVoices } from '../voices.js';
import { conversationCommand } from './command.js';
import type { TalkKind, TalkPlace, TalkStart } from './contract.js';
import { createTalkMachine, type TalkCommand } from './machine.js';
import type { TalkFacts, TalkState } from './state.js';

/** Opens one conversation. What it began with is read from the call, or from its first event. */
export async function openTalk<About extends JsonValue>(
  kind: TalkKind<About>,
  { run, call, ground, start }: Opening,
): Promise<Result<OpenRun, HostError>> {
  const voices = openRunVoices(ground.providers, call);
  if (!voices.ok) return voices;
  const place = { run, ground };
  const begun = start === undefined ? undefined : await kind.start(start, place);
  if (begun?.ok === false) return begun;
  const found = voices.value.find();
  if (!found.ok) return fail({ ...found.error, kind: 'invalid' });
  const known = begun === undefined ? await factsOf<About>(kind.name, place) : undefined;
  if (known?.ok === false) return known;
  const facts = known?.value ?? factsFor(begun?.value as TalkStart<About>, { call, provider: found.value });
  return ok(
    openRun(kind, {
      place,
      facts,
      provider: found.value,
      priced: voices.value.isPriced(facts.model),
      begun: begun?.value,
    }),
  );
}

async function factsOf<About extends JsonValue>(
  name: string,
  { run, ground }: TalkPlace,
): Promise<Result<TalkFacts<About>, HostError>> {
  const [first] = await ground.store.read(run, { limit: 1 });
  if (first?.type !== `${name}.started`)
    return refuse('notFound', 'E_RUN_UNKNOWN', `The run is none of kind ${name}.`);
  return ok(first.data as unknown as TalkFacts<About>);
}

function factsFor<About extends JsonValue>(
  start: TalkStart<About>,
  { call, provider }: { readonly call: Opening['call']; readonly provider: Provider },
): TalkFacts<About> {
  const model = call.model ?? start.model;
  return {
    target: call.target,
    provider: provider.name,
    ...(model === undefined ? {} : { model }),
    ...(call.script === undefined ? {} : { scripted: true as const }),
    about: start.about,
  };
}

interface Opened<About extends JsonValue> {
  readonly place: TalkPlace;
  readonly facts: TalkFacts<About>;
  readonly provider: Provider;
  readonly priced: boolean;
  readonly begun: TalkStart<About> | undefined;
}

const AGAIN_MS = 50;

const NOTHING: RunSources = { files: {}, about: null };

function openRun<About extends JsonValue>(kind: TalkKind<About>, opened: Opened<About>): OpenRun {
  const { place, facts, provider, priced, begun } = opened;
  const { run, ground } = place;
  const { tools = [], rules = {}, onAnswer } = kind;
  const sessions = createHeldSessions();
  let closed: Promise<void> | undefined;
  let kept: RunSources | undefined = begun === undefined ? undefined : (begun.sources ?? NOTHING);
  /** What it was begun with, read once. */
  const sourcesOf = async (): Promise<Result<RunSources, HostError>> => {
    if (kept !== undefined) return ok(kept);
    const read =
      facts.sources === undefined ? ok(NOTHING) : await readSources(ground.store, run, facts.sources);
    if (read.ok) kept = read.value;
    return read;
  };
  const engine: Engine<TalkState<About>, TalkCommand<About>> = createEngine({
    store: ground.store,
    machine: createTalkMachine<About>(
      { name: kind.name, run },
      {
        rules: { ...rules, tools },
        priced,
        // Who only answers may be asked again; an agent of a kind that acts may have acted, so a person decides.
        onTurnCrash: provider.kind === 'cli' && kind.lacks?.doubts === undefined ? 'ask-person' : 'repeat',
        ...(onAnswer && { onAnswer: (state, answer) => onAnswer(state, answer, facts) }),
      },
    ),
    redactor: ground.redactor,
    clock: ground.clock,
    keepState: true,
    // Another name for each opening: two of one name would be given one lease.
    owner: `${ground.owner} ${randomUUID()}`,
    drivers: driversOf(),
    work: inProcess({ whenHeld: 'refuse', leaseMs: ground.leaseMs }),
    ...(ground.fault === undefined ? {} : { fault: ground.fault }),
  });
  function driversOf(): Drivers {
    const { model } = facts;
    const named = model === undefined ? {} : { model };
    return {
      'model.turn': createTurnDriver({
        async compose() {
          const { outcome, agent } =
            (await engine.open(run, (whole) => whole)) ?? (await engine.read(run)).state;
          const sources = await sourcesOf();
          if (!sources.ok) return sources;
          const request = await kind.compose({ facts, outcome, agent, sources: sources.value }, place);
          return request.ok ? ok({ request: request.value }) : request;
        },
        async session(_effect, turn) {
          const { redactor, folder, homeFolder, overhear = (each) => each } = ground;
          const { sessionId } = (await engine.read(run)).state.agent;
          // An agent that keeps the history would hear twice what each request tells whole: each turn is a new session.
          const isTold = provider.kind === 'cli';
          if (isTold) await sessions.close();
          const resume = isTold || sessionId === null ? {} : { resume: sessionId };
          return sessions.of({ key: kind.name, turn, redactor }, () =>
            overhear(
              provider.open({ redactor, cwd: folder, home: homeFolder, access: 'plan', ...named, ...resume }),
            ),
          );
        },
        recorder: createRecorder({ store: ground.store, signer: ground.signer }),
        redactor: ground.redactor,
        voice: { provider: provider.name, ...named },
        port: () => createConversationPort(engine, ground.store, run),
        acts: tools.length > 0,
        publish: (event, { effect }) => ground.publish({ run, node: kind.name, effect }, event),
      }),
      'tool.call': {
        async perform({ input }, { signal }) {
          const call = input as unknown as ToolCallInput;
          const tool = tools.find(({ name }) => name === call.tool);
          if (tool === undefined)
            return { ok: false, error: { code: 'E_TOOL_UNKNOWN', message: 'There is no such tool.' } };
          return { ok: true, output: await tool.run(call.input, { ...place, signal }) };
        },
      },
    };
  }
  const submit = async (
    id: string,
    command: TalkCommand<About> | EffectResolve,
  ): Promise<Result<JsonValue, HostError>> => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(engineError(done.error));
  };
  return {
    diagnostics: begun?.diagnostics ?? [],
    async begin({ by, budget }, id) {
      const sealed =
        begun?.sources === undefined ? undefined : await keepSources({ ...ground, run }, begun.sources);
      if (sealed?.ok === false) return sealed;
      return submit(id, {
        type: 'talk.start',
        facts: sealed === undefined ? facts : { ...facts, sources: sealed.value },
        by,
        ...(begun?.text === undefined ? {} : { text: begun.text }),
        ...(budget === undefined ? {} : { budget }),
      });
    },
    async tell(word, { id, by }) {
      const command = conversationCommand(word, by);
      if (command !== undefined) return submit(id, command);
      return refuse('invalid', 'E_WORD_UNKNOWN', `A run of kind ${kind.name} takes no ${word.type}.`);
    },
    take: async () => (await engine.start()).ok,
    async drain() {
      for (;;) {
        await engine.drain();
        const { kind: now } = statusOf((await engine.read(run)).state.agent);
        const isAtWork = now === 'asking' || now === 'tools' || now === 'stopping';
        if (closed !== undefined || !isAtWork) return;
        // The work was lost for a moment, to a pause of this process or to another one: it comes back.
        await wait(AGAIN_MS);
      }
    },
    close(options) {
      closed ??= engine.stop(options).then(() => sessions.close());
      return closed;
    },
  };
}
