import type { SessionUpdate } from '@agentclientprotocol/sdk';

/** The words of turns as one stream of messages: one turn speaks at a time, others wait until it is over. */
export interface Speech {
  /** ChatPiece of a turn as they come. `name`: who speaks, where that is worth saying. */
  say(turn: string, words: ChatPiece): readonly SessionUpdate[];
  /** A person has said something: what comes now needs no gap from what came before. */
  restart(): void;
  /** The turn is over. `text`: all that it said, as the record has it; what was not told is told now. */
  end(
    turn: string,
    whole?: { readonly text: string; readonly name: string | undefined },
  ): readonly SessionUpdate[];
}

export interface ChatPiece {
  readonly kind: 'text' | 'thought';
  readonly text: string;
  readonly name: string | undefined;
}

interface Turn {
  /** What was handed in and not told: another turn speaks. */
  readonly waiting: ChatPiece[];
  /** The text that was handed in, told or not. */
  said: string;
  /** A line that may be a call of a team's protocol: calls are shown as calls. */
  held: string;
  isOver: boolean;
  hasSpoken: boolean;
}

export function createSpeech(): Speech {
  const turns = new Map<string, Turn>();
  let speaker: string | undefined;
  let lastName: string | undefined;
  let isFirst = true;

  const turnOf = (id: string): Turn => {
    const turn = turns.get(id) ?? { waiting: [], said: '', held: '', isOver: false, hasSpoken: false };
    turns.set(id, turn);
    return turn;
  };
  const told = (id: string, turn: Turn, { kind, text, name }: ChatPiece): readonly SessionUpdate[] => {
    if (text === '') return [];
    if (kind === 'thought')
      return [
        {
          sessionUpdate: 'agent_thought_chunk',
          content: { type: 'text', text },
          messageId: `${id}/thought`,
        },
      ];
    // Messages of several turns stand apart also where a client puts them together.
    const gap = turn.hasSpoken || isFirst ? '' : '\n\n';
    const header = turn.hasSpoken || name === undefined || name === lastName ? '' : `**${name}**\n\n`;
    turn.hasSpoken = true;
    isFirst = false;
    lastName = name;
    return [
      {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: `${gap}${header}${text}` },
        messageId: id,
      },
    ];
  };
  const pass = (id: string, turn: Turn, words: ChatPiece): readonly SessionUpdate[] => {
    speaker ??= id;
    if (speaker === id) return told(id, turn, words);
    turn.waiting.push(words);
    return [];
  };
  const flush = (id: string, turn: Turn): readonly SessionUpdate[] =>
    turn.waiting.splice(0).flatMap((words) => told(id, turn, words));
  const next = (): readonly SessionUpdate[] => {
    speaker = undefined;
    const updates: SessionUpdate[] = [];
    for (const [id, turn] of turns) {
      if (speaker !== undefined || turn.waiting.length === 0) continue;
      updates.push(...flush(id, turn));
      if (!turn.isOver) speaker = id;
    }
    return updates;
  };

  return {
    say(id, words) {
      const turn = turnOf(id);
      if (turn.isOver) return [];
      if (words.kind === 'thought') return pass(id, turn, words);
      const { text, held } = withoutCalls(turn.held + words.text);
      turn.held = held;
      turn.said += text;
      return text === '' ? [] : pass(id, turn, { ...words, text });
    },
    restart() {
      isFirst = true;
      lastName = undefined;
    },
    end(id, whole) {
      const turn = turnOf(id);
      if (turn.isOver) return [];
      const { name } = whole ?? { name: undefined };
      // The record knows what became of a line that was not whole.
      const rest = whole === undefined ? (isCall(turn.held) ? '' : turn.held) : restOf(whole.text, turn.said);
      const updates = rest === '' ? [] : pass(id, turn, { kind: 'text', text: rest, name });
      turn.isOver = true;
      if (speaker !== undefined && speaker !== id) return updates;
      return [...updates, ...next()];
    },
  };
}

/** What of a text was not said. White space counts for nothing: calls were taken out of what was said. */
export function restOf(whole: string, said: string): string {
  const wanted = [...said].filter((each) => each.trim() !== '');
  let at = 0;
  for (const [index, char] of [...whole].entries()) {
    if (at === wanted.length) return [...whole].slice(index).join('');
    if (char.trim() === '') continue;
    if (char !== wanted[at]) return '';
    at += 1;
  }
  return '';
}

const isCall = (line: string): boolean => /^\s*\{\s*"tool_call"/.test(line);
/** Whether a line that is not whole may become a call. */
const mayBeCall = (line: string): boolean =>
  isCall(line) || '{"tool_call"'.startsWith(line.replace(/\s/g, ''));

/** The text without its lines that are calls, and the last line as long as it may become one. */
function withoutCalls(text: string): { readonly text: string; readonly held: string } {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const isHeld = last !== '' && mayBeCall(last);
  const kept = lines.filter((line) => !isCall(line)).map((line) => `${line}\n`);
  return { text: kept.join('') + (isHeld ? '' : last), held: isHeld ? last : '' };
}
