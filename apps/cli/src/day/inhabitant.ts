import type { CardDraft } from '@cuebook/bundle';
import type { Engine, ManualClock } from '@cuebook/engine';
import type { ResidentCommand, ResidentState } from '@cuebook/resident';

/** Someone who lives through the day. */
export interface Inhabitant {
  readonly agent: string;
  readonly draft: CardDraft;
  readonly clock: ManualClock;
  readonly engine: Engine<ResidentState, ResidentCommand>;
  awake: boolean;
  /** The last event that was told of. */
  told: number;
}
