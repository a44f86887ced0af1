import { type LoopbackMcp, startLoopbackMcp } from './loopback.js';

/** One holder's part in the server that all sessions of this process share. */
export interface SharedLoopback {
  readonly server: LoopbackMcp;
  /** The last one to leave closes it. Safe to call twice. */
  leave(): Promise<void>;
}

let running: Promise<LoopbackMcp> | undefined;
let holders = 0;

/** Starts the server for the first holder; the others get the same one. */
export async function joinLoopbackMcp(): Promise<SharedLoopback> {
  holders += 1;
  running ??= startLoopbackMcp();
  const server = await running;
  let left: Promise<void> | undefined;
  return {
    server,
    leave() {
      left ??= leave(server);
      return left;
    },
  };
}

async function leave(server: LoopbackMcp): Promise<void> {
  holders -= 1;
  if (holders > 0) return;
  running = undefined;
  await server.close();
}
