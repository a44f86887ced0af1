import type { JsonValue } from '@cuebook/prompt';
import type { Lines } from '@cuebook/workspace';

/** What one node sends to another. */
export type Envelope = {
  readonly kind: 'handoff' | 'signal';
  readonly id: string;
  readonly fromNodeId: string;
  readonly toNodeId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly payload: {
    readonly message: string;
    readonly structured?: { readonly [key: string]: JsonValue };
    readonly artifacts?: readonly { readonly type: string; readonly ref: string }[];
    readonly status?: { readonly ok: boolean; readonly reason?: string };
    /** `replyTo` is the id of a node. */
    readonly response?: { readonly expectation: 'none' | 'optional' | 'required'; readonly replyTo?: string };
  };
  readonly contextRef?: string;
  readonly meta?: { readonly [key: string]: JsonValue };
  /** What its sender has made since the receiver last heard of it. Cuebook writes it when the handoff is delivered. */
  readonly work?: WorkReport;
};

/** What a node has made, for whoever is to look at it. */
export type WorkReport = {
  readonly diffs: readonly Made[];
  /** What the checks said of the folder after the last change; `none`: there are none, or nothing changed. */
  readonly checks: 'none' | 'passed' | 'failed' | 'owed';
  /** The check that failed, and what it printed. */
  readonly failure?: string;
};

/** The changes of one turn that stay. */
export type Made = {
  readonly turn: number;
  /** `artifact://` and the hash of the patch. */
  readonly ref: string;
  readonly files: readonly string[];
  readonly lines?: Lines;
};

/** A reply that somebody asked for and nobody has sent. */
export type PendingReply = {
  readonly envelope: string;
  /** Who asked. */
  readonly from: string;
  /** Who owes the reply. */
  readonly owedBy: string;
  /** Whom it goes to. */
  readonly to: string;
  readonly since: string;
};

/** The replies that are still owed after an envelope: it asks for one, or it is one. */
export function repliesAfter(
  pending: readonly PendingReply[],
  { id, fromNodeId, toNodeId, createdAt, payload }: Envelope,
): readonly PendingReply[] {
  const first = pending.findIndex((reply) => reply.owedBy === fromNodeId && reply.to === toNodeId);
  const left = pending.filter((_, index) => index !== first);
  if (payload.response?.expectation !== 'required') return left;
  const to = payload.response.replyTo ?? fromNodeId;
  return [...left, { envelope: id, from: fromNodeId, owedBy: toNodeId, to, since: createdAt }];
}
