import { guard } from '@cuebook/guard';

/** Why bytes cannot be looked into. */
export type UnreadableReason = 'bomb' | 'encrypted' | 'packed' | 'broken';

/** Carries a reason out of a reader. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason;
  constructor(reason: UnreadableReason) {
    super(reason);
    this.reason = reason;
  }
}

/** How much may come out of bytes that are looked into, all together. */
export interface InsideLimits {
  /** Bytes unpacked; 32 MiB by default. They bound the work as well. */
  readonly bytes?: number;
  /** Entries of archives, streams of documents; 5,000 by default. */
  readonly parts?: number;
  /** Archives within archives; 4 by default. */
  readonly depth?: number;
  /** Milliseconds, for what hangs all the same; two minutes by default. */
  readonly ms?: number;
}

/** What is left to spend. Every reader takes before it keeps, so that no bomb is ever whole in memory. */
export interface Budget {
  /** The most bytes that one part may still unpack to. */
  room(): number;
  take(bytes: number): void;
  part(): void;
  /** Throws when the time is over. Gives the event loop its turn now and then. */
  turn(): Promise<void>;
  /** One level further in, until the answer is called. */
  enter(): () => void;
}

export function openBudget(limits: InsideLimits = {}): Budget {
  const { bytes: maxBytes = MAX_BYTES, parts: maxParts = MAX_PARTS, depth: maxDepth = MAX_DEPTH } = limits;
  const until = performance.now() + (limits.ms ?? MAX_MS);
  let bytes = 0;
  let parts = 0;
  let depth = 0;
  let turned = performance.now();
  const refuseIf = (found: boolean): void => {
    if (guard('inside.bomb', found)) throw new Unreadable('bomb');
  };
  return {
    room: () => Math.max(1, maxBytes - bytes),
    take(size) {
      bytes += size;
      refuseIf(bytes > maxBytes);
    },
    part() {
      parts += 1;
      refuseIf(parts > maxParts);
    },
    async turn() {
      const now = performance.now();
      refuseIf(now > until);
      if (now - turned < TURN_MS) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
      turned = performance.now();
    },
    enter() {
      depth += 1;
      refuseIf(depth > maxDepth);
      return () => {
        depth -= 1;
      };
    },
  };
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_PARTS = 5_000;
const MAX_DEPTH = 4;
const MAX_MS = 120_000;
const TURN_MS = 10;
