import { asCount, asFields, asText, type Fields, objectsOf } from '../../agent/fields.js';
import type { Usage } from '../../turn.js';
import type { AgentEvent } from './agent-event.js';
import { createStreamBlocks } from './stream-blocks.js';
import { createToolLog } from './tool-log.js';
import type { ClaudeToolNames } from './tool-names.js';
import { addUsage, isNothing, NO_USAGE, readUsage } from './usage.js';

/** Reads the lines of one turn. It knows no process and no clock: the same lines give the same events. */
export interface ClaudeTurnReader {
  read(line: Fields): readonly AgentEvent[];
  /** The turn is over: tools without an outcome are closed. */
  close(): readonly AgentEvent[];
  /** The tokens of this turn: what the result says, or without one what the messages said so far. */
  usage(result: Fields | undefined): Usage;
  /** What kind of failure Claude Code reported in place of an answer, such as `rate_limit`. */
  failure(): string | undefined;
}

export function createTurnReader(names: ClaudeToolNames, clean: (text: string) => string): ClaudeTurnReader {
  const blocks = createStreamBlocks();
  const tools = createToolLog(names, clean);
  const writing = new Map<number, string>();
  let counted = NO_USAGE;
  let running: Fields = {};
  let failure: string | undefined;

  const stream = (event: Fields): readonly AgentEvent[] => {
    if (event.type === 'message_start') {
      counted = addUsage(counted, readUsage(running));
      running = asFields(asFields(event.message)?.usage) ?? {};
      writing.clear();
    }
    if (event.type === 'message_delta') running = { ...running, ...known(asFields(event.usage)) };
    return [...blocks.stream(event), ...streamTool(event)];
  };
  const streamTool = (event: Fields): readonly AgentEvent[] => {
    const index = asCount(event.index);
    if (event.type === 'content_block_start') {
      const block = asFields(event.content_block);
      const [id, name] = [asText(block?.id), asText(block?.name)];
      if (!isCall(block?.type) || id === undefined || name === undefined) return [];
      writing.set(index, id);
      return tools.begin(id, name);
    }
    const id = writing.get(index);
    const json = asText(asFields(event.delta)?.partial_json);
    return event.type === 'content_block_delta' && id !== undefined && json !== undefined
      ? tools.argue(id, json)
      : [];
  };
  const complete = (line: Fields, isOwn: boolean): readonly AgentEvent[] => {
    const message = asFields(line.message);
    // Claude Code says its own failures in the model's place: those are no words of the model.
    if (message?.model === '<synthetic>' || line.is_api_error_message === true) {
      failure = asText(line.error) ?? failure;
      return [];
    }
    const id = asText(message?.id) ?? '';
    return objectsOf(message?.content).flatMap((block) => {
      if (isCall(block.type)) return tools.use(block);
      if (isResult(block.type)) return tools.result(block);
      if (!isOwn) return [];
      if (block.type === 'text') return blocks.complete(id, 'text', asText(block.text) ?? '');
      return block.type === 'thinking' ? blocks.complete(id, 'thinking', asText(block.thinking) ?? '') : [];
    });
  };

  return {
    read(line) {
      // A helper agent speaks to its parent, not to us: of it only what it does is told.
      const isOwn = asText(line.parent_tool_use_id) === undefined;
      if (line.type === 'stream_event') return isOwn ? stream(asFields(line.event) ?? {}) : [];
      if (line.type === 'assistant') return complete(line, isOwn);
      if (line.type === 'user')
        return objectsOf(asFields(line.message)?.content).flatMap((block) =>
          isResult(block.type) ? tools.result(block) : [],
        );
      return line.type === 'system' && line.subtype === 'api_retry' ? [retryLog(line)] : [];
    },
    close: tools.close,
    usage(result) {
      const told = readUsage(asFields(result?.usage));
      // An interrupted turn reports nothing, although its messages were paid for.
      return isNothing(told) ? addUsage(counted, readUsage(running)) : told;
    },
    failure: () => failure,
  };
}

/** Calls that Claude Code runs, and those that run at the model's side. */
const isCall = (type: unknown): boolean => type === 'tool_use' || type === 'server_tool_use';

const isResult = (type: unknown): boolean => typeof type === 'string' && /(^|_)tool_result$/.test(type);

const known = (usage: Fields | undefined): Fields =>
  Object.fromEntries(
    Object.entries(usage ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );

function retryLog(line: Fields): AgentEvent {
  const status = asCount(line.error_status);
  const what = status > 0 ? `status ${status}` : 'no answer';
  const text = `Claude Code tries again after ${what} (${asCount(line.attempt)} of ${asCount(line.max_retries)}).`;
  return { type: 'log', level: 'warning', text };
}
