import type { ProblemPlace } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import type { OpenRun } from './open-run.js';

/** The runs that this process has open. A run is closed, and its lease given back, as soon as it stands still. */
export interface Rooms {
  /** Does something with a run. It is opened if need be, and goes on with what is open. */
  enter<Value>(
    run: RunId,
    work: (room: OpenRun) => Promise<Result<Value, HostError>>,
  ): Promise<Result<Value, HostError>>;
  /** The same with a run that was opened just now and has no event yet. */
  begin<Value>(
    run: RunId,
    opened: OpenRun,
    work: (room: OpenRun) => Promise<Result<Value, HostError>>,
  ): Promise<Result<Value, HostError>>;
  /**
   * Opens a run and goes on with what is open in it, until it stands still where runs are handed out. A run that cannot
   * be opened is not tried again by itself. True: this process worked on it.
   */
  goOn(run: RunId): Promise<boolean>;
  isOpen(run: RunId): boolean;
  /** Why a run could not be opened the last time. */
  problemOf(run: RunId): string | undefined;
  /** Resolves when no run is open. */
  drain(): Promise<void>;
  close(running: 'await' | 'abort'): Promise<void>;
}

export interface RoomsOptions {
  /** `work`: to work on it; `word`: to write a word to its log, where others may work on it. */
  readonly open: (run: RunId, to: 'work' | 'word') => Promise<Result<OpenRun, HostError>>;
  readonly onProblem: (error: unknown, about: ProblemPlace) => void;
  /** Only `goOn` works on a run: a word is written, and whoever is handed the run goes on with it. */
  readonly isHanded?: boolean;
}

interface Room {
  readonly opened: OpenRun;
  /** How many are at a word just now, and how many words there were. */
  inside: number;
  words: number;
  /** Wakes who waits for those inside to leave. */
  left: () => void;
  isClosing: boolean;
  mayTake: boolean;
  /** It was opened to be worked on. */
  readonly isForWork: boolean;
  hasTaken: boolean;
}

export function createRooms({ open, onProblem, isHanded = false }: RoomsOptions): Rooms {
  const rooms = new Map<RunId, Promise<Result<Room, HostError>>>();
  /** Until each is closed: the next opening waits for it. */
  const ends = new Map<RunId, Promise<void>>();
  const problems = new Map<RunId, string>();
  let isClosed = false;

  async function openRoom(
    run: RunId,
    to: 'work' | 'word',
    given?: OpenRun,
  ): Promise<Result<Room, HostError>> {
    await ends.get(run);
    const opened = given === undefined ? await open(run, to) : ({ ok: true, value: given } as const);
    if (!opened.ok) {
      rooms.delete(run);
      problems.set(run, `${opened.error.code} ${opened.error.message}`);
      return opened;
    }
    problems.delete(run);
    const room: Room = {
      ...{ opened: opened.value, inside: 0, words: 0, left: () => undefined, isClosing: false },
      ...{ mayTake: !isHanded, hasTaken: false, isForWork: to === 'work' },
    };
    return { ok: true, value: room };
  }
  function roomOf(run: RunId, to: 'work' | 'word', given?: OpenRun): Promise<Result<Room, HostError>> {
    const known = rooms.get(run);
    if (known !== undefined) return known;
    const opening = openRoom(run, to, given);
    rooms.set(run, opening);
    const ending = opening
      .then((room) => (room.ok ? live(run, room.value) : false))
      .catch((error: unknown) => {
        onProblem(error, { run });
        return false;
      })
      .then((isMoved) => {
        if (rooms.get(run) === opening) rooms.delete(run);
        if (ends.get(run) === ending) ends.delete(run);
        // Who is handed runs is handed this one again; who works alone opens it again.
        if (isMoved && !isHanded && !isClosed) void roomOf(run, 'work');
      });
    ends.set(run, ending);
    return opening;
  }
  /**
   * A room from its opening to its end: it is left when the run stands still and nobody is at a word. True: the run was
   * moved to other sources meanwhile, and goes on with those.
   */
  async function live(run: RunId, room: Room): Promise<boolean> {
    try {
      // The opener comes first: a run that has not begun has nothing to take up.
      await emptied(room);
      let isMoved = false;
      for (let seen = -1; seen !== room.words && !isClosed; ) {
        seen = room.words;
        // Another process may have the work: the word is in the log, and that process goes on.
        if (room.mayTake && (await room.opened.take())) {
          room.hasTaken = true;
          await room.opened.drain();
        }
        isMoved = room.hasTaken && (await room.opened.isMoved?.()) === true;
        // Nothing is waited for behind the last look at who is at a word: who comes later finds a room that closes.
        if (room.inside > 0) await emptied(room);
      }
      return isMoved;
    } finally {
      room.isClosing = true;
      rooms.delete(run);
      await room.opened.close({ running: isClosed ? closing : 'await' });
    }
  }
  let closing: 'await' | 'abort' = 'await';
  const emptied = async (room: Room): Promise<void> => {
    while (room.inside > 0)
      await new Promise<void>((resolve) => {
        room.left = resolve;
      });
  };
  async function within<Value>(
    run: RunId,
    work: (room: OpenRun) => Promise<Result<Value, HostError>>,
    given?: OpenRun,
  ): Promise<Result<Value, HostError>> {
    if (isClosed) return STOPPED;
    const found = await roomOf(run, isHanded && given === undefined ? 'word' : 'work', given);
    if (!found.ok) return found;
    const room = found.value;
    if (room.isClosing) return within(run, work);
    room.inside += 1;
    try {
      return await work(room.opened);
    } finally {
      room.inside -= 1;
      room.words += 1;
      if (room.inside === 0) room.left();
    }
  }

  return {
    enter: (run, work) => within(run, work),
    async begin(run, opened, work) {
      const begun = await within(run, work, opened);
      const room = await rooms.get(run);
      // Somebody began the same run at the same moment, or the host has stopped: this opening is one too many.
      if (room?.ok !== true || room.value.opened !== opened) await opened.close({ running: 'abort' });
      return begun;
    },
    async goOn(run) {
      const known = problems.get(run);
      // Another process may have fixed what was wrong: who is handed a run looks again.
      if (isClosed || (known !== undefined && !isHanded)) return false;
      const room = await roomOf(run, 'work');
      if (!room.ok) {
        const problem = `${room.error.code} ${room.error.message}`;
        if (problem !== known) onProblem(`${run} cannot go on: ${problem}`, { run });
        return false;
      }
      if (!isHanded) return true;
      // One that was opened for a word has not the files that work needs.
      if (room.value.isClosing || !room.value.isForWork) {
        await ends.get(run);
        return this.goOn(run);
      }
      room.value.mayTake = true;
      room.value.words += 1;
      await ends.get(run);
      return room.value.hasTaken;
    },
    isOpen: (run) => rooms.has(run),
    problemOf: (run) => problems.get(run),
    async drain() {
      while (ends.size > 0) await Promise.all(ends.values());
    },
    async close(running) {
      closing = running;
      isClosed = true;
      const open = await Promise.all(rooms.values());
      await Promise.all(open.map((room) => (room.ok ? room.value.opened.close({ running }) : undefined)));
      await Promise.all(ends.values());
    },
  };
}

const STOPPED: Result<never, HostError> = {
  ok: false,
  error: { kind: 'unavailable', code: 'E_ENGINE_STOPPED', message: 'The host has stopped.' },
};
