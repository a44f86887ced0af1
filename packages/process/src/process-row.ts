/** One process of this machine. `start` tells two processes apart that had the same number at different times. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The number of its process group; 0 where the system does not say. */
  readonly group: number;
  readonly start: string;
  /** Ended, and only waiting for its parent to notice. */
  readonly isZombie: boolean;
  /** Carries the mark asked for: started by our child, however far down. */
  readonly isMarked: boolean;
}
