import type { ComposedTarget } from '@cuebook/profile';

/** What the log keeps of the prompt of a turn. What it says is sealed with the run. */
export type TurnAbout = {
  /** The hash of the prompt. */
  readonly hash: string;
  /** What the model thinks is not shown. */
  readonly hidesReasoning?: true;
};

/** What is told in one turn. */
export type TurnPrompt = Pick<ComposedTarget, 'blocks' | 'tools' | 'params' | 'request' | 'diagnostics'>;
