import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a server on 127.0.0.1 that is as slow, and breaks as often, as a test wants. */
export interface SlowLine {
  /** The address of the server, through the line. */
  readonly url: string;
  /** Connections that were opened through it. */
  readonly opened: () => number;
  /** How long one round trip takes from now on. */
  delay(roundTripMs: number): void;
  /** Nothing passes from the client to the server until `thaw`; what is sent meanwhile waits. */
  freeze(): void;
  thaw(): void;
  /** Breaks every connection. */
  cut(): void;
  /** Breaks every connection, and each new one, until `fix`. `after`: once so many messages more were sent to the server. */
  sever(after?: number): void;
  /** Messages that were sent to the server. */
  readonly sent: () => number;
  /** Connections that are open. */
  readonly open: () => number;
  fix(): void;
  /** New connections go to the server of another URL: the old one was replaced. */
  lead(target: string): void;
  close(): Promise<void>;
}

/** Opens a line to the server of a URL. Bytes keep their order, and each waits half a round trip on its way. */
export async function slowLine(target: string, roundTripMs = 0): Promise<SlowLine> {
  let to = new URL(target);
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let halfMs = roundTripMs / 2;
  let isFrozen = false;
  let isSevered = false;
  let opened = 0;
  let sent = 0;
  let severAt = Number.POSITIVE_INFINITY;

  const carry = (from: Socket, into: Socket, isUp: boolean) => {
    let last = 0;
    const later = (act: () => void) => {
      const go = () => {
        const at = Math.max(last, performance.now() + halfMs);
        last = at;
        if (halfMs === 0) act();
        else setTimeout(act, at - performance.now());
      };
      if (isUp && isFrozen) held.push(go);
      else go();
    };
    from.on('data', (bytes) => {
      if (isUp) sent += 1;
      if (isUp && sent > severAt) return severNow();
      later(() => into.writable && into.write(bytes));
    });
    from.on('end', () => later(() => into.end()));
    from.on('close', () => later(() => into.destroy()));
    from.on('error', () => into.destroy());
  };
  const server = createServer((client) => {
    if (isSevered) return void client.resetAndDestroy();
    opened += 1;
    const upstream = connect(Number(to.port), to.hostname);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    carry(client, upstream, true);
    carry(upstream, client, false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    held.length = 0;
    for (const socket of sockets) socket.destroy();
  };
  const severNow = () => {
    isSevered = true;
    cut();
  };
  const thaw = () => {
    isFrozen = false;
    for (const go of held.splice(0)) go();
  };

  return {
    url: url.href,
    opened: () => opened,
    delay(ms) {
      halfMs = ms / 2;
    },
    freeze() {
      isFrozen = true;
    },
    thaw,
    cut,
    sever(after) {
      if (after === undefined) severNow();
      else severAt = sent + after;
    },
    sent: () => sent,
    open: () => sockets.size,
    fix() {
      isSevered = false;
      severAt = Number.POSITIVE_INFINITY;
    },
    lead(next) {
      to = new URL(next);
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
