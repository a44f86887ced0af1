import type { ComposedTarget, Workbench } from '@cuebook/profile';
import type { JsonValue } from '@cuebook/prompt';

/** What the log keeps of the prompt of a turn. What it says is sealed with the run. */
export type TurnAbout = {
  /** The hash of the prompt. */
  readonly hash: string;
  /** What the model thinks is not shown. */
  readonly hidesReasoning?: true;
  /** What its answer must be. */
  readonly contract?: JsonValue;
};

/** What is told in one turn. */
export type TurnPrompt = Pick<
  ComposedTarget,
  'blocks' | 'tools' | 'params' | 'request' | 'diagnostics' | 'contract'
> & {
  /** The texts that it was composed of; left out: those of the project as it is. */
  readonly from?: Pick<Workbench, 'project' | 'commit'>;
};
