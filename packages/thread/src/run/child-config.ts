/** How the prompt that lists it wants a child. */
export type ChildConfig = {
  readonly text: boolean;
  readonly calls: boolean;
  readonly errors: boolean;
  readonly maxSteps: number | null;
  readonly blocking: boolean;
  readonly resumable: null | {
    readonly receives: 'side_a' | 'side_b';
    readonly maxInstances: number | null;
    readonly communication: 'implicit' | 'explicit';
  };
};

/** Without a word of the configuration. */
export const PLAIN_CHILD: ChildConfig = {
  text: true,
  calls: true,
  errors: true,
  maxSteps: null,
  blocking: true,
  resumable: null,
};
