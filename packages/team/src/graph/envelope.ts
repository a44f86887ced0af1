import type { JsonValue } from '@cuebook/prompt';

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
