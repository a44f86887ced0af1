import type { DefinitionEntry, PromptData } from '@cuebook/define';
import {
  type AskedCall,
  type Driver,
  type Outcome,
  type PerformContext,
  readTurnOutcome,
  type TurnOutcome,
  takeTurn,
} from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { fail, type Redactor } from '@cuebook/prompt';
import type { Usage } from '@cuebook/provider';
import type { Reader } from '../env/layers.js';
import { agentOf } from '../run/definitions.js';
import type { Frame } from '../run/frame.js';
import { failedStep, type StepOutcome } from '../run/outcome.js';
import { findFrame } from '../run/state.js';
import { checkCall } from './check-call.js';
import { type ComposedAsk, composeAsk } from './compose.js';
import { addUsage, createDescriber } from './describe.js';
import { changingMessage, extraOf, type HookMessage, wordsOf } from './hook-message.js';
import { createHookRun, type HookRun } from './hooks.js';
import type { DriveParts } from './parts.js';
import { pricedUsage } from './price.js';

/**
 * Does `model.turn`: composes the step with all its hooks, takes the turn, and looks at the calls of the answer with
 * the project's own schemas, so that deciding about them needs nothing but data.
 */
export function createStepDriver(parts: DriveParts): Driver {
  return {
    beginsLate: true,
    async perform(effect, context) {
      const {
        frame: id,
        prompt: name,
        model,
      } = effect.input as { frame: string; prompt: string; model: number };
      await parts.refresh();
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
      const describer = createDescriber(parts, {
        effect,
        context: context as PerformContext,
        state,
        frame: id,
        names: [name, ...(frame.agent === null ? [] : [frame.agent])],
      });
      const { describe } = describer;
      const composed = await composeAsk(parts, { state, frame, reader, model, describe }, hooks);
      if (!composed.ok) return output({ ...refused(composed.error), ...hooks.effects() });
      const voice = await parts.voices.open({
        state,
        run: context.run,
        frame: id,
        names: [name, ...(frame.agent === null ? [] : [frame.agent]), composed.value.model.name],
        model: composed.value.model.data,
        redactor: parts.redactorOf(state),
        mask: parts.maskOf(state),
        turn: context as PerformContext,
      });
      if (!voice.ok) return output({ ...refused(voice.error), ...hooks.effects() });
      const pending = await createPending(frame, hooks);
      const isHidden = prompt.data.reasoning?.exclude === true;
      const taken = await takeTurn<unknown>(
        {
          recorder: parts.recorder,
          redactor: parts.redactorOf(state),
          port: () => stopPort(parts.stopOf(context.run)),
          publish: (event) => {
            if (isHidden && event.type === 'reasoning.delta') return;
            const run = context.run as RunId;
            parts.publish({ run, frame: id, effect: effect.id, agent: frame.agent, prompt: name, event });
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
      const turn = readTurnOutcome(taken);
      const redactor = parts.redactorOf(state);
      const usage = addUsage(pricedUsage(turn.usage, composed.value.model.data), describer.usage());
      const answered = { turn, usage, composed: composed.value, frame, reader, pending, redactor };
      return output(await toStep(parts, answered, hooks));
    },
  };
}

const output = (step: StepOutcome): Outcome => ({ ok: true, output: asJson(step) });

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
  /** Of the turn and of what was asked on the way to it. */
  readonly usage: Partial<Usage> | undefined;
  readonly composed: ComposedAsk;
  readonly frame: Frame;
  readonly reader: Reader & { readonly prompt: DefinitionEntry<PromptData> };
  readonly pending: HookMessage;
  readonly redactor: Redactor;
}

async function toStep(
  parts: DriveParts,
  { turn, usage, composed, frame, reader, pending, redactor }: Answered,
  hooks: HookRun,
): Promise<StepOutcome> {
  const { step, fallbacks, described } = composed;
  const { data } = reader.prompt;
  const mask = hooks.mask();
  const asked = mask.value(turn.calls);
  const isDone = turn.end.reason === 'done';
  const keepsThoughts = data.reasoning?.include === true || data.reasoning?.exclude !== true;
  const thoughts = keepsThoughts && turn.reasoning !== undefined ? mask.text(turn.reasoning) : undefined;
  const said = mask.text(turn.text);
  const { content, extra } = isDone
    ? await update(pending, { content: said, calls: asked, thoughts }, hooks)
    : { content: said, extra: undefined };
  const { bindings } = step;
  const calls = isDone
    ? await Promise.all(asked.map((call) => checkCall(parts, { call, bindings, reader, redactor })))
    : asked;
  return {
    ...hooks.effects(),
    text: hooks.mask().text(content),
    ...(content === said ? {} : { rewritten: true as const }),
    ...(thoughts === undefined ? {} : { reasoning: thoughts }),
    ...(thoughts !== undefined && data.reasoning?.exclude === true ? { hidesReasoning: true as const } : {}),
    calls,
    end: turn.end,
    ...(usage === undefined ? {} : { usage }),
    ...(turn.sessionId === undefined ? {} : { sessionId: turn.sessionId }),
    ...(turn.rehearsal ? { rehearsal: true as const } : {}),
    ...(extra === undefined ? {} : { extra: hooks.mask().value(extra) }),
    tools: step.bindings.map(({ name, does }) => ({
      name,
      does,
      idempotent: isIdempotent(parts.live.catalog, name),
      parallel: data.parallelToolCalls,
    })),
    required: data.toolChoice === 'required' && step.tools.length > 0 && !frame.called,
    fallbacks,
    ...(described.length === 0 ? {} : { described }),
  };
}

/** Whether a call that a crash cut off is made again: its author says so of a function, its server of any other. */
const isIdempotent = ({ tools, servers }: DriveParts['live']['catalog'], name: string): boolean =>
  tools.get(name)?.data.idempotent === true ||
  servers?.tools.find((tool) => tool.name === name)?.repeats === true;

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
