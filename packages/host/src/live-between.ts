import type { Store } from '@cuebook/journal';
import type { LiveEvent } from './live-event.js';

/** How live words reach other processes. They are lost where nobody listens: the journal is the truth. */
export type LiveBetween = NonNullable<Store['broadcast']>;

/** The watchers in other processes. */
export interface Others {
  /** Somebody here watches a run. */
  watching(run: string): void;
  publish(live: LiveEvent): void;
  close(): void;
}

interface Here {
  tell(live: LiveEvent): void;
  watched(): readonly string[];
}

/** How often a process says what is watched in it, and for how long that counts. */
const SAY_MS = 5_000;
const COUNTS_MS = 3 * SAY_MS;
/** Words of so many milliseconds go out together. */
const TOGETHER_MS = 25;

export function createOthers(between: LiveBetween, { tell, watched }: Here): Others {
  /** Until when a run is watched elsewhere, by a clock that never leaps. */
  const wanted = new Map<string, number>();
  let waiting: LiveEvent[] = [];
  let sending: NodeJS.Timeout | undefined;
  const say = (): void => {
    const runs = watched();
    if (runs.length > 0) between.send(JSON.stringify({ watched: runs }));
    for (const [run, until] of wanted) if (until < performance.now()) wanted.delete(run);
  };
  const saying = setInterval(say, SAY_MS);
  saying.unref();
  const leave = between.hear((text) => {
    const said = JSON.parse(text) as {
      readonly watched?: readonly string[];
      readonly words?: readonly LiveEvent[];
    };
    for (const run of said.watched ?? []) wanted.set(run, performance.now() + COUNTS_MS);
    for (const live of said.words ?? []) tell(live);
  });
  const flush = (): void => {
    sending = undefined;
    const words = waiting;
    waiting = [];
    between.send(JSON.stringify({ words }));
  };
  return {
    watching: (run) => between.send(JSON.stringify({ watched: [run] })),
    publish(live) {
      if ((wanted.get(live.run) ?? 0) < performance.now()) return;
      waiting.push(live);
      sending ??= setTimeout(flush, TOGETHER_MS);
    },
    close() {
      clearInterval(saying);
      clearTimeout(sending);
      leave();
    },
  };
}
