import { guard } from '@cuebook/guard';
import { type Fields, fieldsOf, listOf, textOf } from '../../agent/fields.js';
import type { LiveTurn } from '../../stream/live-turn.js';
import type { TurnEnd } from '../../turn.js';
import { endOfTurnError } from '../report/failure.js';
import { createTextLog } from '../report/text-log.js';
import { type CodexToolLog, createToolLog, itemId, type ToolLogOptions } from '../report/tool-log.js';
import { type CodexTokenCount, readTokenUsage, subtract, usageBetween } from '../report/usage.js';

/** Follows one turn of one thread through what the app-server says. */
export interface CodexTurnReader {
  readonly tools: CodexToolLog;
  /** Codex's name of the turn, once it has begun. */
  readonly turnId: string | undefined;
  /** Answers how the turn ended, once it has. */
  notice(method: string, params: Fields): Omit<TurnEnd, 'type'> | undefined;
  /** Emits what is only known at the end: open calls and what the turn cost. Once. */
  close(): void;
}

export interface TurnReaderOptions extends ToolLogOptions {
  readonly threadId: string;
}

/** Other threads, and turns that are not this one, are none of its business: a resumed thread repeats old news. */
export function createTurnReader(options: TurnReaderOptions): CodexTurnReader {
  const { emit, threadId } = options;
  const texts = createTextLog(emit);
  const tools = createToolLog(options);
  let turnId: string | undefined;
  let isClosed = false;
  let counted: { readonly from: CodexTokenCount; readonly to: CodexTokenCount } | undefined;

  const notice: CodexTurnReader['notice'] = (method, params) => {
    const isOther = params.threadId !== undefined && params.threadId !== threadId;
    if (guard('codex.thread', isOther)) return undefined;
    if (method === 'turn/started') turnId ??= textOf(fieldsOf(params.turn).id);
    const isOld = turnId === undefined || (params.turnId !== undefined && params.turnId !== turnId);
    if (guard('codex.turn', isOld)) {
      return void remark(emit, method, params);
    }
    const item = fieldsOf(params.item);
    const key = textOf(params.itemId);
    switch (method) {
      case 'item/agentMessage/delta':
      case 'item/plan/delta':
        return void texts.delta('text', key, textOf(params.delta));
      case 'item/reasoning/summaryTextDelta':
        return void texts.delta('reasoning', `${key}:${String(params.summaryIndex)}`, textOf(params.delta));
      case 'item/reasoning/textDelta':
        return void texts.delta(
          'reasoning',
          `${key}:raw:${String(params.contentIndex)}`,
          textOf(params.delta),
        );
      case 'item/started':
        return void tools.started(item);
      case 'item/completed':
        completeTexts(item);
        return void tools.completed(item);
      case 'thread/tokenUsage/updated':
        return void count(fieldsOf(params.tokenUsage));
      case 'turn/completed': {
        const turn = fieldsOf(params.turn);
        return turn.id === turnId ? endOf(turn) : undefined;
      }
      default:
        return void remark(emit, method, params);
    }
  };

  const completeTexts = (item: Fields): void => {
    if (item.type === 'agentMessage' || item.type === 'plan')
      texts.whole('text', itemId(item), textOf(item.text));
    if (item.type !== 'reasoning') return;
    listOf(item.summary).forEach((part, index) => {
      texts.whole('reasoning', `${itemId(item)}:${index}`, textOf(part));
    });
  };

  /** The first count of a turn says what the thread had cost before: the total without the last request. */
  const count = ({ total, last }: Fields): void => {
    const to = readTokenUsage(total);
    counted = { from: counted?.from ?? subtract(to, readTokenUsage(last)), to };
  };

  return {
    tools,
    get turnId() {
      return turnId;
    },
    notice,
    close() {
      if (isClosed) return;
      isClosed = true;
      tools.close();
      if (counted !== undefined) emit({ type: 'usage', usage: usageBetween(counted.from, counted.to) });
    },
  };
}

function endOf({ status, error }: Fields): Omit<TurnEnd, 'type'> {
  if (status === 'completed') return { reason: 'done', stop: 'stop' };
  if (status === 'interrupted') return { reason: 'aborted' };
  return endOfTurnError(fieldsOf(error));
}

/** What Codex remarks beside the turn. A failure that ends it comes again with `turn/completed`. */
function remark(emit: LiveTurn['emit'], method: string, params: Fields): void {
  const { message } = method === 'error' ? fieldsOf(params.error) : params;
  const text = textOf(message) || textOf(params.summary);
  if (REMARKS.has(method) && text !== '') emit({ type: 'log', level: 'warning', text });
}

const REMARKS: ReadonlySet<string> = new Set([
  ...['error', 'warning', 'configWarning', 'deprecationNotice', 'guardianWarning'],
]);
