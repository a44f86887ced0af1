import type { ConversationMessage } from '@cuebook/engine';
import {
  type BlockInput,
  escapedPieces,
  type JsonValue,
  type Piece,
  printJson,
  safeJson,
  type ToolCall,
} from '@cuebook/prompt';
import { userInputPieces } from '../../compose/compose.js';
import { withRemoved } from '../../compose/labels.js';
import { OWN_SPELLING, type Spelling, spellBlock, spellResult } from '../../compose/spelling.js';
import type { Workflow } from '../../package/package.js';
import { TEXTS } from '../../shipped-texts.js';

export interface HistoryOptions {
  readonly workflow: Workflow | undefined;
  /** The node that a message was said at. */
  readonly nodeOf: (index: number) => string | null;
  /** The code of a call that was not run. */
  readonly codeOf: (call: string) => string | undefined;
  /** How tools are named in this request; left out: as they are. */
  readonly spelling?: Spelling;
}

/**
 * A message of the history as a block. Words of a person keep the shell that they were first told in, words of a
 * model cannot be read as structure, and results are JSON.
 */
export const messageBlock = (
  message: ConversationMessage,
  index: number,
  options: HistoryOptions,
): BlockInput => spellBlock(plainBlock(message, index, options), options.spelling ?? OWN_SPELLING);

function plainBlock(message: ConversationMessage, index: number, options: HistoryOptions): BlockInput {
  const name = `message ${index + 1}`;
  switch (message.role) {
    case 'user': {
      if (message.by === 'cuebook') {
        return {
          name,
          role: 'user',
          pieces: [TEXTS.find('notes.md', message.text, 'session') ?? noted(message.text)],
        };
      }
      const at = options.nodeOf(index);
      const node = at === null ? undefined : options.workflow?.nodes.get(at);
      const pieces = userInputPieces(message.text, options.workflow, node);
      // What was said stays said: it is the same in every later turn.
      return { name, role: 'user', pieces: pieces.map((piece) => ({ ...piece, volatility: 'session' })) };
    }
    case 'assistant':
      return {
        name,
        role: 'assistant',
        pieces: escapedPieces([said(message.text, 'agent', `turn ${message.turn}`)]),
        ...(message.calls.length === 0
          ? {}
          : {
              calls: message.calls.map(
                ({ id, name: tool, input }): ToolCall => ({ id, name: tool, args: input }),
              ),
            }),
      };
    case 'tool':
      return {
        name,
        role: 'tool',
        callId: message.call,
        pieces: escapedPieces(
          withRemoved(said(resultText(message, options), 'tool', `result of ${message.call}`)),
        ),
      };
  }
}

/** A result as it is told: JSON, whatever became of the call. */
export const resultText = (
  message: Extract<ConversationMessage, { role: 'tool' }>,
  options: Pick<HistoryOptions, 'codeOf' | 'spelling'>,
): string => spellResult(plainResult(message, options), options.spelling ?? OWN_SPELLING);

function plainResult(
  message: Extract<ConversationMessage, { role: 'tool' }>,
  { codeOf }: Pick<HistoryOptions, 'codeOf'>,
): string {
  const code = codeOf(message.call);
  const own = message.text.startsWith('{"ok":') ? safeJson(message.text) : undefined;
  if (code === undefined && own !== undefined) return own;
  const error: JsonValue = { code: code ?? 'TOOL_EXEC_FAILED', message: message.text };
  return message.isError ? printJson({ ok: false, error }) : printJson({ ok: true, text: message.text });
}

/** Our own words in a conversation. */
const noted = (text: string): Piece => ({
  text,
  origin: { kind: 'shipped', ref: 'run note' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'session',
});

const said = (text: string, trust: 'agent' | 'tool', ref: string): Piece => ({
  text,
  origin: trust === 'tool' ? { kind: 'result', ref } : { kind: 'input', ref },
  trust,
  secrecy: 'public',
  volatility: 'session',
});
