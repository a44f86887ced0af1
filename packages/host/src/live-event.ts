import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';

/** A live event of a turn. */
export interface LiveEvent {
  readonly run: RunId;
  /** Who speaks: the id of a node of a team or of a frame of a thread, or the name of the only lane. */
  readonly node: string;
  /** What people know who speaks by, where that is another name. */
  readonly name?: string;
  readonly effect: string;
  readonly event: TurnEvent;
}
