import { guard } from '@cuebook/guard';
import type { ToolEnd, TurnEvent, Usage } from '@cuebook/provider';
import { clipText, clipWords } from '../../tool-loop/clip.js';
import type { AskedCall } from '../../tool-loop/plan.js';
import type { NativeUse, TurnEnding, TurnOutcome } from '../outcome.js';

/** Gathers the events of a turn. Whatever a provider sends, what is kept is bounded. */
export interface TurnCollector {
  take(event: TurnEvent): void;
  /** The turn as the log keeps it. */
  outcome(): TurnOutcome;
  /** The words block by block, in the order in which blocks began, within the same bound. */
  words(): readonly string[];
  /** Every tool of the turn, for the receipt. */
  uses(): readonly ToolEnd[];
}

/** Characters of words, and of reasoning, that a turn may keep. */
export const MAX_TURN_TEXT = 400_000;
/** Calls of one answer that are kept at all; those past the limit of the rules are answered, those past this are not. */
export const MAX_TURN_CALLS = 256;

const MAX_NATIVE = 500;
const MAX_NATIVE_OUTPUT = 1_000;

export function createCollector(): TurnCollector {
  const text = createBlocks();
  const reasoning = createBlocks();
  const calls: AskedCall[] = [];
  const native: NativeUse[] = [];
  const uses: ToolEnd[] = [];
  let usage: Usage | undefined;
  let sessionId: string | undefined;
  let isRehearsal = false;
  let model: string | undefined;
  let end: TurnEnding = {
    reason: 'error',
    code: 'E_AGENT_TURN',
    message: 'The provider ended the turn without saying how.',
    retryable: false,
  };

  const takeTool = (event: ToolEnd): void => {
    if (uses.length < MAX_NATIVE) uses.push(event);
    if (event.by === 'caller' && event.output === undefined) {
      if (!guard('driver.calls', calls.length >= MAX_TURN_CALLS)) calls.push(askedCall(event));
    } else if (native.length < MAX_NATIVE) native.push(nativeUse(event));
  };

  return {
    take(event) {
      switch (event.type) {
        case 'turn.start':
          sessionId = event.sessionId ?? sessionId;
          isRehearsal = event.rehearsal === true;
          return;
        case 'text.delta':
          return text.add(event.block, event.text);
        case 'reasoning.delta':
          return reasoning.add(event.block, event.text);
        case 'tool.end':
          return takeTool(event);
        case 'usage':
          usage = usage ? addUsage(usage, event.usage) : event.usage;
          return;
        case 'turn.end':
          end = endingOf(event);
          model = event.model;
      }
    },
    outcome: () => ({
      text: text.join(),
      ...(reasoning.join() === '' ? {} : { reasoning: reasoning.join() }),
      calls,
      end,
      ...(usage ? { usage } : {}),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(isRehearsal ? { rehearsal: true as const } : {}),
      ...(model === undefined ? {} : { model }),
      ...(native.length > 0 ? { native } : {}),
    }),
    words: () => text.blocks(),
    uses: () => uses,
  };
}

/** Text by block, in the order in which blocks began. Past the bound the rest is dropped, and the end says so. */
function createBlocks() {
  const blocks = new Map<number, string[]>();
  let size = 0;
  let isCut = false;
  return {
    add(block: number, text: string): void {
      const room = MAX_TURN_TEXT - size;
      isCut ||= guard('driver.text', text.length > room);
      const kept = isCut ? text.slice(0, Math.max(0, room)) : text;
      size += kept.length;
      const parts = blocks.get(block);
      if (parts) parts.push(kept);
      else blocks.set(block, [kept]);
    },
    blocks: (): readonly string[] => [...blocks.values()].map((parts) => parts.join('').toWellFormed()),
    join(): string {
      const words = [...blocks.values()].map((parts) => parts.join('')).filter((part) => part.trim() !== '');
      return `${words.join('\n\n')}${isCut ? '\n[cut: the answer was longer]' : ''}`.toWellFormed();
    },
  };
}

const askedCall = ({ id, name, said, input, badInput }: ToolEnd): AskedCall => ({
  id,
  name,
  ...(said === undefined ? {} : { said: clipText(said, 200) }),
  input: input ?? null,
  ...(input === undefined ? { badInput: clipWords(badInput ?? '', 2_000) } : {}),
});

const nativeUse = ({ id, name, by, output, isError }: ToolEnd): NativeUse => ({
  id: clipText(id, 200),
  name: clipText(name, 200),
  by,
  ...(output === undefined ? {} : { output: clipWords(output, MAX_NATIVE_OUTPUT) }),
  ...(isError === true ? { isError } : {}),
});

function endingOf({ reason, stop, error }: Extract<TurnEvent, { type: 'turn.end' }>): TurnEnding {
  return {
    reason,
    ...(stop === undefined ? {} : { stop }),
    ...(error ? { code: error.code, message: error.message, retryable: error.retryable } : {}),
  };
}

/** Money is known only where every part of it is. */
function addUsage(a: Usage, b: Usage): Usage {
  const { costUsd: _a, ...first } = a;
  const cost = a.costUsd === undefined || b.costUsd === undefined ? {} : { costUsd: a.costUsd + b.costUsd };
  return {
    ...first,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...cost,
  };
}
