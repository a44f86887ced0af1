import { fail, ok, type Result } from '@cuebook/prompt';
import { type Fields, fieldsOf, parseLine } from '../../agent/fields.js';

/** Why a request to the other side has no answer. */
export type RpcFailure =
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  /** The other side is gone, or no longer reads. */
  | { readonly kind: 'closed' };

/** What the other side says by itself. */
export interface PeerListener {
  /** A line has come, of so many bytes. */
  received(bytes: number): void;
  notice(method: string, params: Fields): void;
  /** Wants an answer, through `answer` with the same id. */
  request(id: RpcId, method: string, params: Fields): void;
  /** A line that is no message. */
  noise(line: string): void;
  /** Nothing follows. */
  closed(): void;
}

export type RpcId = string | number;

/** Passes the choke point, writes, and says whether the other side took it. A throw is the choke point's own. */
export type Say = (line: string) => Promise<boolean>;

/** One side of Codex's JSON-RPC: a message a line, without a `jsonrpc` member. */
export interface AppServerPeer {
  /** Throws only what `say` throws. */
  call(say: Say, method: string, params: Fields): Promise<Result<Fields, RpcFailure>>;
  notify(say: Say, method: string): Promise<void>;
  answer(say: Say, id: RpcId, result: Fields): Promise<void>;
  refuse(say: Say, id: RpcId, message: string): Promise<void>;
}

/** Reads `lines` until they end. The listener is looked up anew for each line: every turn has its own. */
export function createPeer(
  lines: AsyncIterable<string>,
  listener: () => PeerListener | undefined,
): AppServerPeer {
  const waiting = new Map<RpcId, (answer: Result<Fields, RpcFailure>) => void>();
  let lastId = 0;
  let isClosed = false;

  const hear = (line: string): void => {
    listener()?.received(Buffer.byteLength(line) + 1);
    const message = parseLine(line);
    if (message === undefined) {
      listener()?.noise(line);
      return;
    }
    const { method, params } = message;
    const id = readId(message.id);
    if (typeof method === 'string') {
      if (id === undefined) listener()?.notice(method, fieldsOf(params));
      else listener()?.request(id, method, fieldsOf(params));
      return;
    }
    const settle = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || settle === undefined) return;
    waiting.delete(id);
    settle(readAnswer(message));
  };

  void (async () => {
    for await (const line of lines) hear(line);
    isClosed = true;
    for (const settle of waiting.values()) settle(CLOSED);
    waiting.clear();
    listener()?.closed();
  })();

  return {
    async call(say, method, params) {
      if (isClosed) return CLOSED;
      lastId += 1;
      const id = lastId;
      const answered = new Promise<Result<Fields, RpcFailure>>((resolve) => waiting.set(id, resolve));
      try {
        const isTaken = await say(frame({ id, method, params }));
        return isTaken ? await answered : CLOSED;
      } finally {
        waiting.delete(id);
      }
    },
    async notify(say, method) {
      await say(frame({ method }));
    },
    async answer(say, id, result) {
      await say(frame({ id, result }));
    },
    async refuse(say, id, message) {
      await say(frame({ id, error: { code: -32601, message } }));
    },
  };
}

const CLOSED = fail<RpcFailure>({ kind: 'closed' });

const frame = (message: Fields): string => `${JSON.stringify(message)}\n`;

const readId = (id: unknown): RpcId | undefined =>
  typeof id === 'string' || typeof id === 'number' ? id : undefined;

function readAnswer({ result, error }: Fields): Result<Fields, RpcFailure> {
  if (error === undefined) return ok(fieldsOf(result));
  const { code, message } = fieldsOf(error);
  return fail({
    kind: 'refused',
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'no reason given',
  });
}
