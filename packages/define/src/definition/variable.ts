/** A value that a prompt, a tool or an agent needs from its environment. */
export interface VariableDefinition {
  readonly name: string;
  /** `text` may stand in prompts; `secret` is for tools alone and never reaches a model. */
  readonly type: 'text' | 'secret';
  /** Without a value in any layer nothing that needs it runs. */
  readonly required: boolean;
  readonly description: string;
  /** Not inherited from a parent thread. False by default. */
  readonly scoped?: boolean;
}

/** Values by variable name. */
export type Env = Readonly<Record<string, string>>;
