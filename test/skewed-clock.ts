/** How the clock of a machine is wrong. */
export interface Skew {
  /** By how much its time of day is ahead. */
  readonly aheadMs?: number;
  /** How fast it runs: with 2 a second of it takes half a second. */
  readonly rate?: number;
  /** It is set to and fro by `byMs`, once in a while of its own time. */
  readonly leaps?: { readonly byMs: number; readonly everyMs: number };
}

/** From now on the clock of this process is wrong: its time of day, what it measures, and what it waits for. */
export function skewClock({ aheadMs = 0, rate = 1, leaps }: Skew): void {
  const { performance: measured } = globalThis;
  const RealDate = Date;
  const realTicks = measured.now.bind(measured);
  const realTimeout = setTimeout;
  const began = { date: RealDate.now(), ticks: realTicks() };
  const ticks = () => began.ticks + (realTicks() - began.ticks) * rate;
  const now = () => {
    const passed = ticks() - began.ticks;
    const isAway = leaps !== undefined && Math.floor(passed / leaps.everyMs) % 2 === 1;
    return Math.floor(began.date + aheadMs + passed + (isAway ? leaps.byMs : 0));
  };
  measured.now = ticks;
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(now());
      else super(...(args as [number]));
    }
    static override now = now;
  } as DateConstructor;
  const timeout = (call: () => void, ms = 0, ...args: never[]) => realTimeout(call, ms / rate, ...args);
  globalThis.setTimeout = Object.assign(timeout, realTimeout) as typeof setTimeout;
}

const HOUR_MS = 3_600_000;

/** The clocks that machines of one project may have. */
export const SKEWS: Readonly<Record<string, Skew>> = {
  'hours ahead': { aheadMs: 7 * HOUR_MS },
  'hours behind': { aheadMs: -7 * HOUR_MS },
  'years ahead': { aheadMs: 5 * 365 * 24 * HOUR_MS },
  'at half the rate': { rate: 0.5 },
  'at twice the rate': { rate: 2, aheadMs: HOUR_MS },
  'leaping back and forth': { leaps: { byMs: -3 * HOUR_MS, everyMs: 150 } },
  'leaping ahead': { leaps: { byMs: 25 * HOUR_MS, everyMs: 150 } },
};
