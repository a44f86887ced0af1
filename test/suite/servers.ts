import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchCeph } from '../ceph.js';
import { startPostgres } from '../postgres.js';

/** A server of the whole run: what its users need to reach it, as JSON, and its end. */
interface Launched {
  readonly place: unknown;
  stop(): Promise<void>;
}

const SERVERS: Readonly<Record<string, () => Promise<Launched>>> = {
  postgres: async () => {
    const { url, stop } = await startPostgres({ fsync: false, connections: 300 });
    return { place: { url }, stop };
  },
  ceph: launchCeph,
};

/**
 * Answers `GET /NAME` with the place of the one server of that name, which it starts for the first who asks. Nobody
 * asks where no chosen test needs it.
 */
export async function serveServers(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const launched = new Map<string, Promise<Launched>>();
  const desk = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const launch = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined;
    if (!launch) return void response.writeHead(404).end();
    const running = launched.get(name) ?? launch();
    launched.set(name, running);
    running.then(
      ({ place }) => response.end(JSON.stringify(place)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  // Whoever waits for an answer keeps the run alive; the desk itself does not.
  desk.unref();
  return {
    url: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    async stop() {
      desk.close();
      desk.closeAllConnections();
      const all = await Promise.allSettled(launched.values());
      await Promise.all(all.map((each) => (each.status === 'fulfilled' ? each.value.stop() : undefined)));
    },
  };
}
