import { guard } from '@cuebook/guard';

/** The time that all processes of a database go by: the one of the database, whatever the clocks of the machines say. */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment, on a clock of this machine that never leaps. */
  ticks(): number;
}

/** The time that a store goes by. */
export const timeOf = ({ clock }: { readonly clock?: SharedClock }): (() => number) =>
  clock === undefined ? Date.now : () => clock.now();

/** A shared clock that asks again every while. */
export interface KeptClock extends SharedClock {
  /** Asks the database now. Throws if it does not answer. */
  sync(): Promise<void>;
  /** Takes in an answer: the database said `time` at some moment between `asked` and now, both in ticks. */
  note(time: number, asked: number): void;
  /** Asks no more. */
  stop(): void;
}

export interface SharedClockOptions {
  /** The time of the database, in milliseconds. */
  readonly ask: () => Promise<number>;
  readonly ticks?: () => number;
  readonly everyMs?: number;
}

/**
 * Between two answers time goes on by `ticks`, so neither a time of day that somebody sets nor one that is wrong moves
 * it. An answer moves it as far as it was proven wrong and no further: the time of the database lies between what it
 * said and that plus the time on the way.
 */
export function createSharedClock({
  ask,
  ticks = () => performance.now(),
  everyMs = EVERY_MS,
}: SharedClockOptions): KeptClock {
  let known: { readonly time: number; readonly at: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const note = (time: number, asked: number): void => {
    const at = ticks();
    const [earliest, latest] = [time, time + (at - asked) + ROUNDED_MS];
    const told = known === undefined ? (earliest + latest) / 2 : known.time + at - known.at;
    if (guard('clock.database', known === undefined || told < earliest || told > latest))
      known = { time: Math.min(Math.max(told, earliest), latest), at };
  };
  const sync = async (): Promise<void> => {
    const asked = ticks();
    note(await ask(), asked);
  };
  const again = (): void => {
    clearTimeout(timer);
    if (isOver) return;
    // A database that is away is told by the work that needs it.
    timer = setTimeout(() => void sync().then(again, again), everyMs);
    timer.unref();
  };

  return {
    now: () => (known === undefined ? Date.now() : Math.floor(known.time + ticks() - known.at)),
    ticks,
    note,
    async sync() {
      await sync();
      again();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** The database says whole milliseconds, cut off. */
const ROUNDED_MS = 1;

/** A machine whose clock runs a tenth too fast is off by a second and a half at most. */
const EVERY_MS = 15_000;
