/** How a client reaches its server. */
export interface ClientOptions {
  /** `http://127.0.0.1:4400`. In a page of the server itself: empty. */
  readonly url: string;
  readonly token?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How long an answer may take, 60 seconds if not said. Streams are not bounded by it. */
  readonly timeoutMs?: number;
  /** Bytes of an answer that are read, 64 MiB if not said. */
  readonly maxAnswer?: number;
}
