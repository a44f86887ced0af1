import {
  type Driver,
  effectiveInput,
  fitResult,
  hideCredentials,
  type Outcome,
  UNKNOWN_OUTCOME,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';
import type { Reader } from '../env/layers.js';
import { agentOf, promptName, sessionTools, sideOf } from '../run/definitions.js';
import type { Frame } from '../run/frame.js';
import type { ToolOutcome } from '../run/outcome.js';
import { frameOfCall, type ThreadRunState } from '../run/state.js';
import { attach } from './attachments.js';
import { createHookRun } from './hooks.js';
import type { DriveParts } from './parts.js';
import { type CallFacts, hookResult } from './result-hooks.js';
import { viewOf } from './view.js';

/** Does `tool.call`: runs a function of the project, takes secrets out of what it answers, and lets hooks see it. */
export function createToolDriver(parts: DriveParts): Driver {
  return {
    async perform(effect, context) {
      const { call: id, tool } = effect.input as { readonly call: string; readonly tool: string };
      const state = await parts.state(context.run);
      const frame = frameOfCall(state, id);
      const call = frame?.calls?.find((each) => each.id === id);
      if (frame === undefined || call === undefined)
        return { ok: false, error: { code: 'E_TOOL_UNKNOWN', message: 'The call is not open any more.' } };
      const reader = readerOf(parts, frame, tool);
      const hooks = createHookRun(parts, { state, frame, reader });
      const args = effectiveInput(call);
      const missing = missingFor(parts, { state, frame, reader, tool });
      const answer =
        missing === undefined
          ? await parts.live.callTool({
              tool,
              args,
              state: viewOf(parts, { state, frame, reader, effects: hooks.viewed }),
              signal: AbortSignal.any([context.signal, parts.stopOf(context.run)]),
              timeoutMs: parts.toolMs,
            })
          : ({ kind: 'error', text: missing, attachments: [] } as const);
      if (answer.kind === 'stopped' && answer.reason === 'aborted')
        return context.signal.aborted ? LEFT : (UNKNOWN_OUTCOME as Outcome);
      const { text, isError, paths } = readAnswer(answer, parts.toolMs);
      const redactor = parts.redactorOf(state);
      const named = sessionPaths(parts, frame, tool, args);
      const attached = await attach(parts, { paths: [...paths, ...named], by: 'agent', redactor });
      const whole = attached.ok ? text : `${text}\n\n${attached.error.message}`;
      const facts: CallFacts = { id, name: tool, args, text: hooks.mask().text(whole), isError };
      const seen = await hookResult(facts, hooks);
      const fit = (await fitResult(
        { output: await hideCredentials(parts.redactorOf(state), seen.text), isError: seen.isError },
        {
          maxBytes: state.settings.maxResultBytes,
          keep: async (long, bytes) => ({
            text: `${long.slice(0, 2_000)}\n[cut: ${bytes} bytes in all]`,
            blob: await parts.store.putBlob(new TextEncoder().encode(long)),
          }),
        },
      )) as { readonly text: string; readonly blob?: string; readonly isError?: boolean };
      const outcome: ToolOutcome = {
        ...hooks.effects(),
        ...fit,
        ...(attached.ok && attached.value.length > 0 ? { attachments: attached.value } : {}),
        ...(seen.removed ? { removed: true as const } : {}),
        ...(seen.extra === undefined ? {} : { extra: seen.extra }),
      };
      return { ok: true, output: asJson(outcome) };
    },
  };
}

/** The engine stops: whether the function acted is settled when a process takes the call up again. */
const LEFT: Outcome = {
  ok: false,
  error: { code: 'E_EFFECT_ABORTED', message: 'The call was ended before its answer.' },
};

function readerOf({ live }: DriveParts, frame: Frame, tool: string): Reader {
  const prompt = live.catalog.prompts.get(promptName(live.catalog, frame) ?? '');
  return {
    prompt,
    agent: agentOf(live.catalog, frame),
    tool: prompt?.data.tools.find(({ name }) => name === tool),
  };
}

/** The files that a call of a session tool names in the argument that its side says. */
function sessionPaths({ live }: DriveParts, frame: Frame, tool: string, args: JsonValue): readonly string[] {
  const { stop, fail, status } = sessionTools(sideOf(live.catalog, frame));
  const property = [stop, fail, status].find((each) => each?.name === tool)?.attachmentsProperty;
  if (property === undefined || typeof args !== 'object' || args === null) return [];
  const value = Object.hasOwn(args, property) ? (args as Record<string, JsonValue>)[property] : undefined;
  return (Array.isArray(value) ? value : [value]).filter((path) => typeof path === 'string');
}

interface Needing {
  readonly state: ThreadRunState;
  readonly frame: Frame;
  readonly reader: Reader;
  readonly tool: string;
}

function missingFor(parts: DriveParts, { state, frame, reader, tool }: Needing): string | undefined {
  const variables = parts.live.catalog.tools.get(tool)?.data.variables ?? [];
  const required = variables.filter((variable) => variable.required);
  if (required.length === 0) return undefined;
  const visible = parts.environments.visible(state, frame, reader);
  const missing = required.filter(({ name }) => !Object.hasOwn(visible, name)).map(({ name }) => name);
  if (!guard('variable.required', missing.length > 0)) return undefined;
  return `The tool "${tool}" requires ${missing.join(', ')}, and no layer of the environment has a value. Nothing was run.`;
}

type Answer = Awaited<ReturnType<DriveParts['live']['callTool']>>;

function readAnswer(answer: Answer, toolMs: number) {
  switch (answer.kind) {
    case 'success':
      return { text: answer.text, isError: false, paths: answer.attachments };
    case 'error':
      return { text: answer.text, isError: true, paths: answer.attachments };
    case 'invalid': {
      const problems = answer.problems.map(({ path, message }) =>
        path === '' ? message : `${path}: ${message}`,
      );
      return { text: `Bad arguments: ${problems.join('; ')}. Nothing was run.`, isError: true, paths: [] };
    }
    default: {
      const why =
        answer.reason === 'timeout' ? `did not answer within ${toolMs} ms` : 'ended the process it runs in';
      return { text: `The tool ${why}; whether it acted is not known.`, isError: true, paths: [] };
    }
  }
}
