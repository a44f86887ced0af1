import { type Fields, fieldsOf, textOf } from '../../agent/fields.js';
import type { LateStart } from '../../agent/late-start.js';
import type { CodexEnding } from '../driver.js';
import { endOfExecError } from '../report/failure.js';
import { createTextLog } from '../report/text-log.js';
import { createToolLog, itemId, type ToolLogOptions } from '../report/tool-log.js';
import { type CodexTokenCount, readExecUsage } from '../report/usage.js';

export interface ExecReaderOptions extends ToolLogOptions {
  readonly announce: (details: LateStart) => void;
  /** What the thread has cost so far, this turn included. */
  readonly counted: (total: CodexTokenCount) => void;
}

/** Follows the events of one `codex exec --json`. */
export interface ExecReader {
  /** Answers how the turn ended, once it has. */
  line(event: Fields): CodexEnding | undefined;
  /** Ends the calls that are open. */
  close(): void;
}

export function createExecReader(options: ExecReaderOptions): ExecReader {
  const { emit, announce, counted } = options;
  const texts = createTextLog(emit);
  const tools = createToolLog(options);

  const complete = (item: Fields): void => {
    const text = textOf(item.text);
    if (item.type === 'agent_message') texts.whole('text', itemId(item), text);
    if (item.type === 'reasoning') texts.whole('reasoning', itemId(item), text);
    if (item.type === 'error') emit({ type: 'log', level: 'warning', text: textOf(item.message) });
    tools.completed(item);
  };

  return {
    line(event) {
      const item = fieldsOf(event.item);
      switch (event.type) {
        case 'thread.started':
          return void announce({ sessionId: textOf(event.thread_id) });
        case 'item.started':
          return void tools.started(item);
        case 'item.completed':
          return void complete(item);
        case 'turn.completed':
          counted(readExecUsage(event.usage));
          return { reason: 'done', stop: 'stop' };
        case 'turn.failed':
          return endOfExecError(textOf(fieldsOf(event.error).message));
        case 'error':
          // A notice that it tries again, or the reason of a failure that follows.
          return void emit({ type: 'log', level: 'warning', text: textOf(event.message) });
        default:
          return undefined;
      }
    },
    close: tools.close,
  };
}
