import { createHash } from 'node:crypto';
import {
  composeRequest,
  createRedactor,
  type GatedRequest,
  type OfferedTool,
  type Redactor,
} from '@cuebook/prompt';
import type { Session, TurnEnd, TurnEvent, TurnInput } from '../src/turn.js';

/** Private to the machine that these tests pretend to be. */
export const SECRET = 'sk-live-4b1f7c9e2d8a6053f1e4';
export const HOME = '/home/marked-person';

export const redactor: Redactor = createRedactor({
  roots: [],
  private: [HOME],
  names: [],
  credentials: [SECRET],
});

/** A request of one user block. */
export function requestOf(text: string, tools: readonly OfferedTool[] = []): GatedRequest {
  const composed = composeRequest({
    blocks: [
      {
        name: 'task',
        role: 'user',
        pieces: [
          {
            text,
            origin: { kind: 'file', ref: 'task.md', line: 1, column: 1 },
            trust: 'author',
            secrecy: 'public',
            volatility: 'turn',
          },
        ],
      },
    ],
    tools,
    redactor,
    hash: (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}

/** All events of a turn, and what tests look at most. */
export interface Played {
  readonly events: readonly TurnEvent[];
  readonly text: string;
  readonly end: TurnEnd;
  /** Everything that went out, in order. */
  readonly sent: readonly string[];
  readonly sessionId: string | undefined;
}

export async function play(
  session: Session,
  input: Omit<TurnInput, 'request'> & { readonly request?: GatedRequest; readonly say?: string },
  onEvent: (event: TurnEvent) => void = () => {},
): Promise<Played> {
  const events: TurnEvent[] = [];
  const sent: string[] = [];
  const { say = 'say hi', request = requestOf(say), ...rest } = input;
  const turn = session.turn({
    ...rest,
    request,
    beforeSend: async ({ bytes }) => void sent.push(new TextDecoder().decode(bytes)),
  });
  for await (const event of turn) {
    events.push(event);
    onEvent(event);
  }
  const start = events[0];
  const end = events.at(-1);
  if (start?.type !== 'turn.start' || end?.type !== 'turn.end') throw new Error('a turn without a frame');
  const text = events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
  return { events, text, end, sent, sessionId: start.sessionId };
}

/** The events of one type. */
export const eventsOf = <Type extends TurnEvent['type']>(
  { events }: Pick<Played, 'events'>,
  type: Type,
): readonly Extract<TurnEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<TurnEvent, { type: Type }> => event.type === type);
