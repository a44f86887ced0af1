import { guard } from '@cuebook/guard';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import { wordCut } from '@cuebook/prompt';
import { type Fields, textOf } from '../../agent/fields.js';
import type { LiveTurn } from '../../stream/live-turn.js';
import { type OwnTools, readToolItem, type ToolItem } from './items.js';

/** The tool calls of one turn as events, each begun once and ended once. */
export interface CodexToolLog {
  started(item: Fields): void;
  completed(item: Fields): void;
  /** What a call was begun with, cleaned. */
  inputOf(id: string): JsonValue | undefined;
  /** Ends what is still open: the turn is over. */
  close(): void;
}

export interface ToolLogOptions extends OwnTools {
  readonly emit: LiveTurn['emit'];
  readonly clean: LiveTurn['clean'];
  readonly redactor: Redactor;
}

/** UTF-16 units of a tool's output in an event; the rest is cut, and the text says so. */
export const MAX_EVENT_OUTPUT = 256 * 1024;

export function createToolLog({ emit, clean, redactor, ours, ownServer }: ToolLogOptions): CodexToolLog {
  const open = new Map<string, ToolItem>();
  const read = (item: Fields): ToolItem | undefined => {
    const tool = readToolItem(item, { ours, ownServer });
    return tool === undefined ? undefined : { ...tool, input: redactor.redactValue(tool.input).value };
  };
  const begin = (tool: ToolItem): void => {
    if (open.has(tool.id)) return;
    open.set(tool.id, tool);
    emit({ type: 'tool.start', id: tool.id, name: tool.name, by: tool.by });
  };
  const end = ({ id, name, by, input, output, isError }: ToolItem): void => {
    open.delete(id);
    emit({ type: 'tool.end', id, name, by, input, output: clean(cut(output)), ...(isError && { isError }) });
  };
  return {
    started(item) {
      const tool = read(item);
      if (tool !== undefined) begin(tool);
    },
    completed(item) {
      const tool = read(item);
      if (tool === undefined) return;
      begin(tool);
      end(tool);
    },
    inputOf: (id) => open.get(id)?.input,
    close() {
      for (const tool of [...open.values()]) {
        end({ ...tool, output: tool.output || 'The turn ended before this call did.', isError: true });
      }
    },
  };
}

const cut = (text: string): string =>
  guard('codex.output', text.length > MAX_EVENT_OUTPUT)
    ? `${text.slice(0, wordCut(text, MAX_EVENT_OUTPUT)).toWellFormed()}\n[cut: the output is longer]`
    : text;

/** The identity of an item, for maps. */
export const itemId = (item: Fields): string => textOf(item.id);
