import type { Card, Output } from '@cuebook/bundle';
import type { Usage } from '@cuebook/provider';

/** What a `scenario.turn` gives: the answer after its contract was checked, and which words led to it. */
export type ScenarioAnswer = {
  /** The code of a turn that gave no answer. */
  readonly failed: string | null;
  /** What breaks the contract; empty when the answer is taken. */
  readonly problems: readonly string[];
  /** The answer, if it is taken. */
  readonly value: Output | null;
  readonly version: number;
  /** `EXPERIMENT/ARM` of the scenario, if it is under trial. */
  readonly cohort: string | null;
  /** The provider takes no parameters: the answer was said with settings of its own, not with the preset. */
  readonly presetNotTaken?: true;
  readonly personality: Card['personality'];
  /** The card that it was told of beside its own: read and verified when the turn was composed. */
  readonly target?: { readonly agent: string; readonly version: number };
  readonly usage?: Partial<Usage>;
  /** Where the script of a rehearsal stands after it. */
  readonly session?: string;
};
