import type { ComposedTarget } from '@cuebook/profile';

/** What the log keeps of the prompt of a turn. What it says is sealed: the log only names it. */
export type TurnAbout = {
  /** The hash of the prompt. */
  readonly hash: string;
  /** The entry of the vault that has what was composed. */
  readonly composition: string;
  /** What the model thinks is not shown. */
  readonly hidesReasoning?: true;
};

/** What is told in one turn. */
export type TurnPrompt = Pick<ComposedTarget, 'blocks' | 'tools' | 'params' | 'request' | 'diagnostics'>;
