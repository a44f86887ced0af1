import type { Engine, ManualClock } from '@cuebook/engine';
import type { CardDraft } from '../card/schema.js';
import type { ResidentCommand, ResidentState } from '../resident/life/state.js';

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
