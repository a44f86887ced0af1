import type { Io } from '../io.js';
import { toldIn } from './told-json.js';
import { credentialsAway } from './typed-credentials.js';

/** Writes messages of JSON-RPC, one a line and in order. */
export interface MessageWriter {
  readonly say: (message: unknown) => Promise<void>;
  /** Resolves when all is written. */
  readonly written: () => Promise<unknown>;
}

/**
 * What messages tell holds no credential; the ids by which the other side finds a request or a session again stay as
 * they are, whatever they look like.
 */
export function messageWriter({ exact }: Pick<Io, 'exact'>): MessageWriter {
  let last: Promise<unknown> = Promise.resolve();
  return {
    say(message) {
      const text = JSON.stringify(message);
      const done = last.then(async () => exact(`${await toldMessage(text)}\n`));
      last = done.catch(() => undefined);
      return done;
    },
    written: () => last,
  };
}

async function toldMessage(text: string): Promise<string> {
  const message: unknown = JSON.parse(text);
  const ids = idHolders(message).map((holder) => IDS.map((name) => [holder, name, holder[name]] as const));
  for (const [holder, name, id] of ids.flat()) if (id !== undefined) holder[name] = 0;
  const rest = JSON.stringify(message);
  const told = toldIn(await credentialsAway(), rest);
  if (told === rest) return text;
  const answer: unknown = JSON.parse(told);
  const holders = idHolders(answer);
  for (const [index, each] of ids.entries())
    for (const [, name, id] of each) if (id !== undefined) (holders[index] as Fields)[name] = id;
  return JSON.stringify(answer);
}

type Fields = Record<string, unknown>;

/** Names of ids in the protocols that are spoken. */
const IDS = ['id', 'sessionId', 'toolCallId', 'messageId', 'nextCursor'];

/** The objects in which these protocols put ids. What is nested deeper is told. */
function idHolders(message: unknown): readonly Fields[] {
  const { params, result } = fieldsOf(message);
  const { update, toolCall } = fieldsOf(params);
  const { sessions } = fieldsOf(result);
  return [message, params, result, update, toolCall, ...(Array.isArray(sessions) ? sessions : [])].map(
    fieldsOf,
  );
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
