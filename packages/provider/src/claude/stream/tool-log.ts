import { wordCut } from '@cuebook/prompt';
import { asFields, asText, type Fields, jsonOf, objectsOf } from '../../agent/fields.js';
import { MAX_TOOL_OUTPUT } from '../../mcp/handler.js';
import type { ToolRunner } from '../../turn.js';
import type { AgentEvent } from './agent-event.js';
import type { ClaudeToolNames } from './tool-names.js';

/** The tools of a turn: each begins once and ends once, with its real outcome. */
export interface ClaudeToolLog {
  /** The model begins to write a call. */
  begin(id: string, name: string): readonly AgentEvent[];
  argue(id: string, json: string): readonly AgentEvent[];
  /** The call is complete. */
  use(block: Fields): readonly AgentEvent[];
  /** A `tool_result` says what came of it. */
  result(block: Fields): readonly AgentEvent[];
  /** The turn is over: what has no outcome by now failed. */
  close(): readonly AgentEvent[];
}

interface Call {
  readonly name: string;
  readonly by: ToolRunner;
  input: unknown;
  json: string;
}

/** `clean` makes the outputs fit for the record. */
export function createToolLog(names: ClaudeToolNames, clean: (text: string) => string): ClaudeToolLog {
  const calls = new Map<string, Call>();
  const ended = new Set<string>();

  const begin = (id: string, wire: string): readonly AgentEvent[] => {
    if (calls.has(id) || ended.has(id)) return [];
    const own = names.ofModel(wire);
    const call: Call = {
      name: own ?? wire,
      by: own === undefined ? 'agent' : 'caller',
      input: undefined,
      json: '',
    };
    calls.set(id, call);
    return [{ type: 'tool.start', id, name: call.name, by: call.by }];
  };
  const end = (id: string, outcome: { readonly output?: string; readonly isError: boolean }) => {
    const call = calls.get(id);
    if (!call) return [];
    calls.delete(id);
    ended.add(id);
    const { name, by, json } = call;
    const input = call.input === undefined ? undefined : jsonOf(call.input);
    const badInput = call.input === undefined && json !== '' ? { badInput: json } : {};
    return [{ type: 'tool.end', id, name, by, input, ...badInput, ...outcome }] as const;
  };

  return {
    begin,
    argue(id, json) {
      const call = calls.get(id);
      if (!call || json === '') return [];
      call.json += json;
      return [{ type: 'tool.delta', id, json }];
    },
    use(block) {
      const [id, name] = [asText(block.id), asText(block.name)];
      if (id === undefined || name === undefined) return [];
      const events = begin(id, name);
      const call = calls.get(id);
      if (call) call.input = block.input ?? {};
      return events;
    },
    result(block) {
      const id = asText(block.tool_use_id);
      if (id === undefined) return [];
      return end(id, { output: clean(cut(outputOf(block.content))), isError: block.is_error === true });
    },
    close: () => [...calls.keys()].flatMap((id) => end(id, { isError: true })),
  };
}

/** A result is a text, or a list of parts of which those with text are kept; what is no text is named. */
function outputOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => asText(part.text) ?? `[${asText(part.type) ?? asText(asFields(part)?.kind) ?? 'part'}]`)
    .join('\n');
}

const cut = (text: string): string =>
  text.length <= MAX_TOOL_OUTPUT
    ? text
    : `${text.slice(0, wordCut(text, MAX_TOOL_OUTPUT)).toWellFormed()}\n[cut: the output is longer]`;
