import type { AppendBatch } from '@cuebook/journal';

/**
 * What a driver writes into the log about its own effect, and the engine writes about it in the same commit. Either
 * both are in the log or neither.
 */
export interface EffectWrites {
  /** Appends a batch and behind it, the first time, the mark that the effect is begun. */
  readonly begin?: AppendBatch;
  /**
   * Takes what is to be written with the outcome of the effect, in front of it. It is called with the way to append, also
   * more than once, and once more by itself where no outcome is written. False: there is no outcome to come, and whoever
   * asks writes it at once.
   */
  readonly settleWith?: (write: BesideWrite) => boolean;
}

/** Writes one batch with what it is given. It resolves when that is done or given up, and does not reject. */
export type BesideWrite = (append: AppendBatch) => Promise<void>;

/** How a driver appends to the log: the mark that its effect is begun goes with the first batch, once. */
export interface FirstWrite {
  readonly append: AppendBatch;
  /** The log did not take the mark: the effect is not begun. */
  isRefused(): boolean;
}

interface FirstWriteParts {
  /** Appends a batch with the mark behind it. */
  readonly mark: AppendBatch;
  /** Appends one alone. */
  readonly append: AppendBatch;
  /** The mark is in the log. */
  begun(): void | Promise<void>;
}

export function createFirstWrite({ mark, append, begun }: FirstWriteParts): FirstWrite {
  let standing: 'none' | 'begun' | 'refused' = 'none';
  return {
    async append(batch) {
      if (standing === 'begun') return append(batch);
      const appended = await mark(batch);
      standing = appended.ok ? 'begun' : 'refused';
      if (appended.ok) await begun();
      return appended;
    },
    isRefused: () => standing === 'refused',
  };
}

/** The place where a driver leaves what is to be written with its outcome. */
export interface LastWrite {
  readonly settleWith: NonNullable<EffectWrites['settleWith']>;
  /** What was left there. Nothing more is taken. */
  take(): BesideWrite | undefined;
}

export function createLastWrite(): LastWrite {
  let left: BesideWrite | undefined;
  let isOver = false;
  return {
    settleWith(write) {
      if (isOver || left !== undefined) return false;
      left = write;
      return true;
    },
    take() {
      isOver = true;
      return left;
    },
  };
}
