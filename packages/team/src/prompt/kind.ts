/** What is known of a node's conversation with its provider. Plain JSON. */
export type SessionFacts = {
  /** The provider's own id, where it gave one. */
  readonly id: string | null;
  /** Of the last prompt that the session has heard: who it went to and what its first layers were. */
  readonly heard: { readonly provider: string; readonly model: string | null; readonly head: string } | null;
  /** Why the session cannot be relied on any more. */
  readonly broken: 'reset' | 'crash' | 'failed' | null;
  /** The machine that has it, where a project has several. */
  readonly machine?: string;
  /** The last turn that it has heard, where a project has several machines. */
  readonly turn?: number;
};

/** Nothing was said yet. */
export const NO_SESSION: SessionFacts = { id: null, heard: null, broken: null };

/** What the next prompt is like. */
export interface PromptChange {
  readonly provider: string;
  readonly model: string | null;
  /** A digest of the system and role layers. */
  readonly head: string;
  /** The node wants its session to go on, and the provider can do that. */
  readonly resumes: boolean;
}

/** What is sent, and for a full prompt why. */
export type PromptKind = { readonly kind: 'delta' } | { readonly kind: 'full'; readonly why: FullReason };

/** Why a delta would not do. */
export type FullReason =
  | 'first'
  | 'no-session'
  | 'reset'
  | 'crash'
  | 'failed'
  | 'provider'
  | 'template'
  | 'machine';

/** Whether the whole prompt is sent, or only what is new since the session last heard from us. */
export function promptKind({ id, heard, broken }: SessionFacts, change: PromptChange): PromptKind {
  const full = (why: FullReason): PromptKind => ({ kind: 'full', why });
  if (broken !== null) return full(broken);
  if (heard === null) return full('first');
  if (!change.resumes || id === null) return full('no-session');
  if (heard.provider !== change.provider || heard.model !== change.model) return full('provider');
  if (heard.head !== change.head) return full('template');
  return { kind: 'delta' };
}
