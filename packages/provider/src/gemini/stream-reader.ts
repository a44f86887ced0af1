import type { JsonValue, Redactor } from '@cuebook/prompt';
import { wordCut } from '@cuebook/prompt';
import { type Fields, fieldsOf, jsonOf, textOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { Usage } from '../turn.js';

/** Follows the events of one headless turn. */
export interface StreamReader {
  /** Answers the last event, when this is it. */
  line(event: Fields): Fields | undefined;
  /** Whether the agent has said or done anything: from then on its session can be gone on with. */
  readonly hasAnswered: boolean;
  /** Ends the calls that are open. */
  close(): void;
}

export interface StreamReaderOptions {
  readonly emit: LiveTurn['emit'];
  readonly clean: LiveTurn['clean'];
  readonly redactor: Redactor;
}

/** There is no mark at a message's end: a text goes on until a tool is used. */
export function createStreamReader({ emit, clean, redactor }: StreamReaderOptions): StreamReader {
  const open = new Map<string, { readonly name: string; readonly input: JsonValue }>();
  let block = 0;
  let isInText = false;
  let hasAnswered = false;

  const say = (text: string): void => {
    if (text === '') return;
    hasAnswered = true;
    isInText = true;
    emit({ type: 'text.delta', block, text });
  };
  const begin = ({ tool_id: id, tool_name: name, parameters }: Fields): void => {
    hasAnswered = true;
    if (open.has(textOf(id))) return;
    if (isInText) block += 1;
    isInText = false;
    const tool = { name: textOf(name), input: redactor.redactValue(jsonOf(parameters)).value };
    open.set(textOf(id), tool);
    emit({ type: 'tool.start', id: textOf(id), name: tool.name, by: 'agent' });
  };
  const end = (id: string, output: string, isError: boolean): void => {
    const tool = open.get(id);
    if (tool === undefined) return;
    open.delete(id);
    const text = clean(cut(output));
    emit({ type: 'tool.end', id, ...tool, by: 'agent', output: text, ...(isError && { isError }) });
  };

  return {
    get hasAnswered() {
      return hasAnswered;
    },
    line(event) {
      switch (event.type) {
        case 'message':
          return event.role === 'assistant' ? void say(textOf(event.content)) : undefined;
        case 'tool_use':
          return void begin(event);
        case 'tool_result': {
          const output = textOf(event.output) || textOf(fieldsOf(event.error).message);
          return void end(textOf(event.tool_id), output, event.status !== 'success');
        }
        case 'error':
          return void emit({ type: 'log', level: 'warning', text: textOf(event.message) });
        case 'result':
          emit({ type: 'usage', usage: readStats(fieldsOf(event.stats)) });
          return event;
        default:
          return undefined;
      }
    },
    close() {
      for (const id of [...open.keys()]) end(id, 'The turn ended before this call did.', true);
    },
  };
}

/** One process is one turn, so its counts are the turn's. Thoughts are told apart nowhere. */
function readStats(stats: Fields): Usage {
  const at = (name: string): number => {
    const count = stats[name];
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0;
  };
  return {
    ...{ inputTokens: at('input_tokens'), outputTokens: at('output_tokens') },
    ...{ cachedInputTokens: at('cached'), cacheWriteTokens: 0, reasoningTokens: 0 },
  };
}

/** UTF-16 units of a tool's output in an event; the rest is cut, and the text says so. */
const MAX_OUTPUT = 256 * 1024;

const cut = (text: string): string =>
  text.length <= MAX_OUTPUT
    ? text
    : `${text.slice(0, wordCut(text, MAX_OUTPUT)).toWellFormed()}\n[cut: the output is longer]`;
