import type { StateView } from '@cuebook/define';
import { type Driver, effectiveInput, isErrorResult, type Outcome } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import { agentOf, childConfig, promptName } from '../run/definitions.js';
import type { EnvValue } from '../run/env-value.js';
import type { Frame } from '../run/frame.js';
import type { MessageOutcome, PrepareOutcome, ResultOutcome, Start } from '../run/outcome.js';
import { findFrame, type ThreadRunState } from '../run/state.js';
import { changingMessage, extraOf, toHookMessage, wordsOf } from './hook-message.js';
import { createHookRun, type HookRun } from './hooks.js';
import type { DriveParts } from './parts.js';
import { hookResult } from './result-hooks.js';
import { newEffects, viewOf } from './view.js';

/** `message.hook`: messages that the run itself makes, on their way into a conversation. */
export const createMessageDriver = (parts: DriveParts): Driver => ({
  perform: (effect, { run }) =>
    inFrame(parts, effect.input, run, async ({ frame, about, hooks }) => {
      const messages: MessageOutcome['messages'][number][] = [];
      for (const { message } of frame.inbox.filter((each) => about.includes(each.message.id))) {
        const stored = await hooks.change('before_create_message', toHookMessage(message), changingMessage);
        await hooks.tell('after_create_message', [stored]);
        const extra = extraOf(stored);
        messages.push({
          id: message.id,
          text: hooks.mask().text(wordsOf(stored)),
          ...(wordsOf(stored) === message.text ? {} : { rewritten: true as const }),
          ...(extra === undefined ? {} : { extra: hooks.mask().value(extra) }),
        });
      }
      return { ...hooks.effects(), messages } satisfies MessageOutcome;
    }),
});

/** `result.hook`: results that no function gave: of sub-prompts, of agents, and of calls that were refused. */
export const createResultDriver = (parts: DriveParts): Driver => ({
  perform: (effect, { run }) =>
    inFrame(parts, effect.input, run, async ({ frame, about, hooks }) => {
      const results: ResultOutcome['results'][number][] = [];
      for (const call of (frame.calls ?? []).filter(({ id }) => about.includes(id))) {
        const { result } = call;
        const seen = await hookResult(
          {
            id: call.id,
            name: call.name,
            args: effectiveInput(call),
            text: result?.text ?? '',
            isError: result === undefined || isErrorResult(result),
          },
          hooks,
        );
        results.push({ call: call.id, ...seen });
      }
      return { ...hooks.effects(), results } satisfies ResultOutcome;
    }),
});

/** `thread.prepare`: hooks that are told of a new thread, and the subagents that begin with it. */
export const createPrepareDriver = (parts: DriveParts): Driver => ({
  perform: (effect, { run }) =>
    inFrame(parts, effect.input, run, async ({ state, frame, hooks, view }) => {
      const parent = findFrame(state, frame.parent);
      const told = parent === undefined ? [] : [parentHooks(parts, state, parent)];
      for (const each of told) await each.tell('after_subagent_created', [], view);
      await hooks.tell('after_thread_created', []);
      const { start, consumed } = immediate(parts, state, frame);
      const { env, notices, diagnostics } = hooks.effects();
      const more = told.flatMap((each) => each.effects().diagnostics);
      return {
        env,
        notices,
        diagnostics: [...more, ...diagnostics],
        start,
        consumed,
      } satisfies PrepareOutcome;
    }),
});

const parentHooks = (parts: DriveParts, state: ThreadRunState, frame: Frame): HookRun =>
  createHookRun(parts, { state, frame, reader: readerOf(parts, frame) });

const readerOf = ({ live }: DriveParts, frame: Frame) => ({
  prompt: live.catalog.prompts.get(promptName(live.catalog, frame) ?? ''),
  agent: agentOf(live.catalog, frame),
});

interface InFrame {
  readonly state: ThreadRunState;
  readonly frame: Frame;
  readonly about: readonly string[];
  readonly hooks: HookRun;
  readonly view: StateView;
}

async function inFrame(
  parts: DriveParts,
  input: JsonValue,
  run: string,
  work: (place: InFrame) => Promise<object>,
): Promise<Outcome> {
  const { frame: id, about } = input as { readonly frame: string; readonly about: readonly string[] };
  const state = await parts.state(run);
  const frame = findFrame(state, id);
  if (frame === undefined)
    return { ok: false, error: { code: 'E_THREAD_AGENT', message: 'The conversation is not there.' } };
  const reader = readerOf(parts, frame);
  const hooks = createHookRun(parts, { state, frame, reader });
  const view = viewOf(parts, { state, frame, reader, effects: newEffects() });
  return { ok: true, output: (await work({ state, frame, about, hooks, view })) as JsonValue };
}

/** The subagents that begin before the first step, one for each numbered group of variables. */
function immediate(
  { live, environments }: DriveParts,
  state: ThreadRunState,
  frame: Frame,
): { readonly start: readonly Start[]; readonly consumed: readonly string[] } {
  const prompt = live.catalog.prompts.get(promptName(live.catalog, frame, 'a') ?? '');
  const visible = environments.visible(state, frame, { prompt, agent: agentOf(live.catalog, frame) });
  const read = (name: string): string | undefined =>
    Object.hasOwn(visible, name) ? visible[name]?.value : undefined;
  const said = frame.inbox.map(({ message }) => message.text).join('\n\n');
  const start: Start[] = [];
  const consumed: string[] = [];
  for (const tool of prompt?.data.tools ?? []) {
    const { immediate: how, optional } = tool;
    if (how === undefined || how === false || isOff(optional === undefined ? 'yes' : read(optional)))
      continue;
    const config = childConfig(tool);
    if (how === true) {
      start.push({ agent: tool.name, name: tool.name, text: said, config, env: {} });
      continue;
    }
    const { nameEnv, descriptionEnv, scopedEnv = [] } = how;
    const keys = [...new Set([nameEnv, descriptionEnv, ...scopedEnv].filter((key) => key !== undefined))];
    for (let index = 1; index <= MAX_GROUPS; index += 1) {
      const at = (key: string): string => (index === 1 ? key : `${key}__${index}`);
      const there = keys.filter((key) => read(at(key)) !== undefined);
      if (there.length === 0) break;
      const own: [string, EnvValue][] = scopedEnv.flatMap((key) => {
        const value = read(at(key));
        return value === undefined ? [] : [[key, environments.keep(key, value)] as [string, EnvValue]];
      });
      start.push({
        agent: tool.name,
        name: nameIn(nameEnv === undefined ? undefined : read(at(nameEnv))) ?? `${tool.name}-${index}`,
        text: (descriptionEnv === undefined ? undefined : read(at(descriptionEnv))) ?? said,
        config,
        env: Object.fromEntries(own),
      });
      consumed.push(...there.map(at));
    }
  }
  return { start, consumed };
}

const MAX_GROUPS = 100;

/** A blank name is none. */
const nameIn = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value;

const isOff = (value: string | undefined): boolean =>
  !['true', '1', 'yes'].includes((value ?? '').trim().toLowerCase());
