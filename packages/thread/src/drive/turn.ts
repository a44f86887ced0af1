import {
  type ArgsCheck,
  type Entry,
  findCallable,
  initialMessage,
  type PromptData,
  type ToolBinding,
  type ToolEntry,
} from '@cuebook/define';
import {
  type AskedCall,
  type Driver,
  type Outcome,
  type PerformContext,
  type TurnOutcome,
  takeTurn,
} from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { fail, type JsonValue } from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import { agentOf, childConfig } from '../run/definitions.js';
import type { Frame } from '../run/frame.js';
import { failedStep, type Opening, type StepCall, type StepOutcome } from '../run/outcome.js';
import { findFrame } from '../run/state.js';
import { attach } from './attachments.js';
import { type ComposedAsk, composeAsk } from './compose.js';
import { changingMessage, extraOf, type HookMessage, isRecord, wordsOf } from './hook-message.js';
import { createHookRun, type HookRun } from './hooks.js';
import type { DriveParts } from './parts.js';

/**
 * Does `model.turn`: composes the step with all its hooks, takes the turn, and looks at the calls of the answer with
 * the project's own schemas, so that deciding about them needs nothing but data.
 */
export function createStepDriver(parts: DriveParts): Driver {
  return {
    async perform(effect, context) {
      const {
        frame: id,
        prompt: name,
        model,
      } = effect.input as { frame: string; prompt: string; model: number };
      const state = await parts.state(context.run);
      const frame = findFrame(state, id);
      const prompt = parts.live.catalog.prompts.get(name);
      if (frame?.ask == null || prompt === undefined)
        return {
          ok: false,
          error: { code: 'E_THREAD_AGENT', message: 'The conversation has no such step.' },
        };
      const reader = { prompt, agent: agentOf(parts.live.catalog, frame) };
      const hooks = createHookRun(parts, { state, frame, reader });
      const composed = await composeAsk(parts, { state, frame, reader, model }, hooks);
      if (!composed.ok) return output({ ...refused(composed.error), ...hooks.effects() });
      const voice = parts.voices.open({
        state,
        run: context.run,
        frame: id,
        names: [name, ...(frame.agent === null ? [] : [frame.agent]), composed.value.model.name],
        model: composed.value.model.data,
        redactor: parts.redactorOf(state),
        mask: parts.maskOf(state),
      });
      if (!voice.ok) return output({ ...refused(voice.error), ...hooks.effects() });
      const pending = await createPending(frame, hooks);
      const isHidden = prompt.data.reasoning?.exclude === true;
      const taken = await takeTurn<unknown>(
        {
          recorder: parts.recorder,
          port: () => stopPort(parts.stopOf(context.run)),
          publish: (event) => {
            if (isHidden && event.type === 'reasoning.delta') return;
            parts.publish({ run: context.run as RunId, frame: id, agent: frame.agent, prompt: name, event });
          },
          look: STOPPED,
        },
        {
          effect,
          context: context as PerformContext,
          composed: { request: composed.value.request },
          session: voice.value.session,
          voice: { provider: voice.value.provider, model: voice.value.model },
        },
      );
      if (!taken.ok) return taken;
      const turn = taken.output as unknown as TurnOutcome;
      return output(await toStep(parts, { turn, composed: composed.value, frame, reader, pending }, hooks));
    },
  };
}

const output = (step: StepOutcome): Outcome => ({ ok: true, output: step as unknown as JsonValue });

/** Another model would be told the same. */
const refused = ({ code, message }: { readonly code: string; readonly message: string }): StepOutcome => ({
  ...failedStep({ reason: 'refused', code, message, retryable: false }),
  final: true,
});

/** The turn hears of a stop from this process; agents that act in mid-turn have nobody to ask. */
const stopPort = (stop: AbortSignal) => ({
  submit: async () =>
    fail({ code: 'E_THREAD_PROVIDER', message: 'Tools of a thread are called in answers.' }),
  until: async <Found>(
    look: (state: unknown) => Found | undefined,
    signal: AbortSignal,
  ): Promise<Found | undefined> => {
    const either = AbortSignal.any([stop, signal]);
    if (!either.aborted)
      await new Promise((resolve) => either.addEventListener('abort', resolve, { once: true }));
    return stop.aborted ? look(undefined) : undefined;
  },
});

const STOPPED = {
  isStopped: (): true => true,
  resultOf: () => undefined,
  approvalsOf: () => ({ asked: {}, resolved: {}, granted: [] }),
} as const;

/** The message of the answer is made before there is one, and changed when it has come. */
async function createPending(frame: Frame, hooks: HookRun): Promise<HookMessage> {
  const empty: HookMessage = {
    id: frame.ask?.message ?? '',
    role: 'assistant',
    content: null,
    status: 'pending',
  };
  const pending = await hooks.change('before_create_message', empty, changingMessage);
  await hooks.tell('after_create_message', [pending]);
  return pending;
}

interface Answered {
  readonly turn: TurnOutcome;
  readonly composed: ComposedAsk;
  readonly frame: Frame;
  readonly reader: Reader & { readonly prompt: Entry<PromptData> };
  readonly pending: HookMessage;
}

async function toStep(
  parts: DriveParts,
  { turn, composed, frame, reader, pending }: Answered,
  hooks: HookRun,
): Promise<StepOutcome> {
  const { step, fallbacks, described } = composed;
  const { data } = reader.prompt;
  const mask = hooks.mask();
  const asked = mask.value(turn.calls);
  const isDone = turn.end.reason === 'done';
  const keepsThoughts = data.reasoning?.include === true || data.reasoning?.exclude !== true;
  const thoughts = keepsThoughts && turn.reasoning !== undefined ? mask.text(turn.reasoning) : undefined;
  const { content, extra } = isDone
    ? await update(pending, { content: mask.text(turn.text), calls: asked, thoughts }, hooks)
    : { content: mask.text(turn.text), extra: undefined };
  const calls = isDone
    ? await Promise.all(asked.map((call) => checkCall(parts, { call, bindings: step.bindings, reader })))
    : asked;
  return {
    ...hooks.effects(),
    text: hooks.mask().text(content),
    ...(thoughts === undefined ? {} : { reasoning: thoughts }),
    calls,
    end: turn.end,
    ...(turn.usage === undefined ? {} : { usage: turn.usage }),
    ...(turn.sessionId === undefined ? {} : { sessionId: turn.sessionId }),
    ...(turn.rehearsal ? { rehearsal: true as const } : {}),
    ...(extra === undefined ? {} : { extra: hooks.mask().value(extra) }),
    tools: step.bindings.map(({ name, does }) => ({
      name,
      does,
      idempotent: parts.live.catalog.tools.get(name)?.data.idempotent === true,
      parallel: data.parallelToolCalls,
    })),
    required: data.toolChoice === 'required' && step.tools.length > 0 && !frame.called,
    fallbacks,
    ...(described.length === 0 ? {} : { described }),
  };
}

/** `before_update_message` and `after_update_message`: the answer takes the place of the pending message. */
async function update(
  pending: HookMessage,
  {
    content,
    calls,
    thoughts,
  }: {
    readonly content: string;
    readonly calls: readonly AskedCall[];
    readonly thoughts: string | undefined;
  },
  hooks: HookRun,
): Promise<{ readonly content: string; readonly extra: StepOutcome['extra'] }> {
  const id = typeof pending.id === 'string' ? pending.id : '';
  const updates: HookMessage = {
    content,
    status: 'completed',
    ...(calls.length === 0
      ? {}
      : { toolCalls: calls.map(({ id: call, name, input }) => ({ id: call, name, args: input })) }),
    ...(thoughts === undefined ? {} : { reasoning: thoughts }),
  };
  const changed = await hooks.change('before_update_message', updates, {
    args: (given) => [id, given],
    accept: changingMessage.accept,
  });
  const message = { ...pending, ...changed };
  await hooks.tell('after_update_message', [message]);
  return { content: wordsOf(changed), extra: extraOf(message) };
}

interface Checking {
  readonly call: AskedCall;
  readonly bindings: readonly ToolBinding[];
  readonly reader: Reader & { readonly prompt: Entry<PromptData> };
}

/** What the project's schemas say of a call, and what a sub-prompt or an agent would begin with. */
async function checkCall(parts: DriveParts, { call, bindings }: Checking): Promise<StepCall> {
  const binding = bindings.find(({ name }) => name === call.name);
  if (binding === undefined || call.badInput !== undefined) return call;
  const { catalog } = parts.live;
  if (binding.does === 'function') {
    if (catalog.tools.get(call.name)?.data.args === undefined)
      return isRecord(call.input) ? call : { ...call, problem: 'the arguments are one JSON object' };
    const checked = await parts.live.check({ kind: 'tool', name: call.name }, call.input);
    return checked.ok ? call : { ...call, problem: problemsText(checked) };
  }
  if (!isRecord(call.input)) return { ...call, problem: 'the arguments are one JSON object' };
  const wanted = await openingFor(parts, binding, call.input);
  if (typeof wanted === 'string') return { ...call, problem: wanted };
  const attached = await attach(parts, wanted.paths);
  if (!attached.ok) return { ...call, problem: attached.error };
  const { paths: _, ...opening } = wanted;
  return { ...call, opening: { ...opening, attachments: attached.value } };
}

type Wanted = Omit<Opening, 'attachments'> & { readonly paths: readonly string[] };

async function openingFor(
  parts: DriveParts,
  binding: ToolBinding,
  input: { readonly [key: string]: JsonValue },
): Promise<Wanted | string> {
  const { catalog } = parts.live;
  const [config] = binding.configs;
  if (config === undefined) return 'it is not listed';
  if (binding.does === 'subagent.create') return createOpening(binding, input);
  if (binding.does === 'subagent.message') {
    const text = words(input, 'message');
    const target = words(input, 'referenceId');
    if (target === '') return 'subagent_message requires referenceId';
    if (text === '') return 'subagent_message requires message';
    return {
      does: 'subagent.message',
      target,
      text,
      name: null,
      config: childConfig(config),
      paths: pathsOf(input),
    };
  }
  const callable = findCallable(catalog, config.name);
  const prompt = callable?.kind === 'agent' ? callable.entry.data.sideA.prompt : config.name;
  const args = await parsedArgs(parts, prompt, input);
  if (typeof args === 'string') return args;
  const first = initialMessage(listed(config, binding), args);
  const named = config.initAgentNameProperty === undefined ? undefined : args[config.initAgentNameProperty];
  return {
    does: binding.does as Wanted['does'],
    target: config.name,
    text: first?.text ?? '',
    name: typeof named === 'string' ? named : null,
    config: childConfig(config),
    paths: first?.attachments ?? [],
  };
}

/** An agent that nothing else is said of takes its `message`. */
const listed = (config: ToolEntry, { does }: ToolBinding): ToolEntry =>
  does !== 'sub-prompt' && config.initUserMessageProperty === undefined
    ? { ...config, initUserMessageProperty: 'message' }
    : config;

function createOpening(
  { configs, targets }: ToolBinding,
  input: { readonly [key: string]: JsonValue },
): Wanted | string {
  const target = words(input, 'agent');
  const config = configs[targets.indexOf(target)];
  if (config === undefined) return `subagent_create requires agent: one of ${targets.join(', ')}`;
  if (words(input, 'name').trim() === '') return 'subagent_create requires name';
  const text = words(input, 'message');
  if (text === '') return 'subagent_create requires message';
  return {
    does: 'subagent.create',
    target,
    text,
    name: words(input, 'name'),
    config: childConfig(config),
    paths: pathsOf(input),
  };
}

async function parsedArgs(
  parts: DriveParts,
  prompt: string,
  input: { readonly [key: string]: JsonValue },
): Promise<{ readonly [key: string]: JsonValue } | string> {
  if (parts.live.catalog.prompts.get(prompt)?.data.requiredSchema === undefined) return input;
  const checked = await parts.live.check({ kind: 'prompt', name: prompt }, input);
  if (!checked.ok) return problemsText(checked);
  return isRecord(checked.value) ? checked.value : input;
}

const problemsText = ({ problems }: Extract<ArgsCheck, { ok: false }>): string =>
  problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');

const words = (input: { readonly [key: string]: JsonValue }, key: string): string => {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : '';
};

const pathsOf = ({ attachments }: { readonly [key: string]: JsonValue }): readonly string[] =>
  Array.isArray(attachments) ? attachments.filter((path) => typeof path === 'string') : [];
