/**
 * Something to be said: a scenario, what goes into it, and the one object that comes of it. Plain data, because it
 * stands in the log. Views are not in it: they are looked up and verified again when the prompt is composed.
 */
export type Deed = {
  readonly scenario: string;
  /** Create-once: whatever happens, the object is written at most once. Empty for what stays with the agent. */
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
  /** By the name of a value: the object that it was read from. */
  readonly sources: Readonly<Record<string, string>>;
  /** Whose view is put in as `target_agent_prompt_view`. */
  readonly target?: string;
  /** Whom it is said to. */
  readonly to?: string;
  readonly topic?: string;
  readonly task?: string;
  /** The title of its task or topic. */
  readonly title?: string;
  /** The key of the message that it answers. */
  readonly replyTo?: string;
  /** Why the agent chose it while it was idle, in the words of its model. */
  readonly because?: string;
  /** The day that it belongs to, as `20261115`. */
  readonly day?: string;
  readonly policy?: Policy;
  /** The object that a proposal of a check-in becomes. */
  readonly requestKey?: string;
};

/** Something that was said between the agent and another one. */
export type Utterance = { readonly from: string; readonly text: string; readonly key: string };

/** One thing that the owner of an agent asks for now. */
export type Wish = {
  readonly scenario: string;
  /** An agent; for a reply also the key of the message. */
  readonly to?: string;
  readonly task?: string;
  readonly topic?: string;
};

/** What may be proposed, as `ProposalPolicy` has it. */
export type Policy = {
  readonly allowed: boolean;
  readonly quota_remaining: number;
  readonly allowed_types: readonly string[];
};
