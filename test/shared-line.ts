import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Who holds the connection: to the end of a transaction, as pools in transaction mode do, or to its own end. */
export type PoolMode = 'transaction' | 'session';

/**
 * A pool before a Postgres that trusts everybody: in transaction mode all clients share one connection to it, which is
 * given to whoever asks between two transactions. Answers the address of the pool.
 */
export async function sharedLine(target: string, mode: PoolMode): Promise<string> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => undefined));
    return socket;
  };
  const open = async (greeting: Buffer): Promise<Upstream> => {
    const socket = keep(connect(Number(url.port), url.hostname));
    socket.write(greeting);
    return { socket, greeted: await untilReady(socket) };
  };
  let shared: Promise<Upstream> | undefined;
  let turn: Promise<void> = Promise.resolve();

  const server = createServer(async (client) => {
    keep(client);
    const [greeting] = (await once(client, 'data')) as [Buffer];
    if (shared === undefined || mode === 'session') shared = open(greeting);
    const upstream = await shared;
    // A key of its own, as every pool gives: what it can cancel is at the pool, not at a process of the server.
    client.write(withOwnKey(upstream.greeted));
    if (mode === 'session') {
      client.pipe(upstream.socket).on('close', () => client.destroy());
      upstream.socket.pipe(client);
      return;
    }
    const asked: Buffer[] = [];
    let isServed = false;
    const serve = async () => {
      const before = turn;
      let leave = () => {};
      turn = new Promise((resolve) => {
        leave = resolve;
      });
      await before;
      const answer = (bytes: Buffer) => void client.write(bytes);
      upstream.socket.on('data', answer);
      while (asked.length > 0) {
        upstream.socket.write(Buffer.concat(asked.splice(0)));
        await untilReady(upstream.socket);
      }
      upstream.socket.off('data', answer);
      isServed = false;
      leave();
    };
    client.on('data', (bytes) => {
      // Whoever leaves does not end the connection of the others.
      if (bytes[0] === TERMINATE) return void client.end();
      asked.push(bytes);
      if (isServed) return;
      isServed = true;
      void serve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const own = new URL(target);
  own.port = String((server.address() as { readonly port: number }).port);
  return own.href;
}

interface Upstream {
  readonly socket: Socket;
  readonly greeted: Buffer;
}

const TERMINATE = 'X'.charCodeAt(0);
/** `ReadyForQuery` outside of a transaction: the last six bytes of an answer. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

async function untilReady(socket: Socket): Promise<Buffer> {
  let all = Buffer.alloc(0);
  for await (const [bytes] of onData(socket)) {
    all = Buffer.concat([all, bytes]);
    if (all.subarray(-READY.length).equals(READY)) return all;
  }
  return all;
}

async function* onData(socket: Socket): AsyncGenerator<[Buffer]> {
  for (;;) yield (await once(socket, 'data')) as [Buffer];
}

/** `BackendKeyData` is `K`, a length of 12, the id of the process and a key. */
function withOwnKey(greeted: Buffer): Buffer {
  const copy = Buffer.from(greeted);
  const at = copy.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  copy.writeInt32BE(copy.readInt32BE(at + 5) ^ 0x4000_0000, at + 5);
  return copy;
}
