import type { LabelledShell, Piece } from '@cuebook/prompt';
import type { Envelope } from '../graph/envelope.js';
import type { TeamNode } from '../graph/node.js';
import { quoted, stated } from './say.js';

/** What a person wrote to a node. */
export type PersonMessage = {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  /** It was to stop what the node was doing. */
  readonly interrupt: boolean;
};

/** A person's message as a part of the task payload. */
export const messageShell = ({ id, text, by, interrupt }: PersonMessage): LabelledShell => ({
  header: 'INCOMING_MESSAGE',
  fields: [
    { key: 'id', value: stated(id, 'message') },
    { key: 'from', value: quoted(by, { trust: 'user', ref: 'message' }) },
    { key: 'delivery', value: stated(interrupt ? 'interrupt' : 'queue', 'message') },
  ],
  body: [quoted(text, { trust: 'user', ref: `message ${id}` })],
  closed: true,
});

/** A handoff as a part of the task payload: every word of it is an agent's, and stays inside its fence. */
export function handoffShell(envelope: Envelope, nodes: readonly TeamNode[]): LabelledShell {
  const { id, kind, fromNodeId, createdAt, contextRef } = envelope;
  const { message, structured, artifacts, status, response } = envelope.payload;
  const say = (text: string): Piece => quoted(text, { trust: 'agent', ref: `envelope ${id}` });
  const sender = nodes.find((node) => node.id === fromNodeId);
  const replyTo = response?.replyTo === undefined ? '' : ` replyTo=${response.replyTo}`;
  return {
    header: kind === 'handoff' ? 'INCOMING_HANDOFF' : 'INCOMING_SIGNAL',
    fields: [
      { key: 'id', value: stated(id, 'envelope') },
      { key: 'from', value: stated(fromNodeId, 'envelope') },
      ...(sender?.alias === undefined ? [] : [{ key: 'alias', value: stated(sender.alias, 'envelope') }]),
      { key: 'at', value: stated(createdAt, 'envelope') },
      ...(status === undefined
        ? []
        : [
            {
              key: 'status',
              value: say(`${status.ok ? 'ok' : 'failed'}${status.reason ? ` (${status.reason})` : ''}`),
            },
          ]),
      ...(response === undefined
        ? []
        : [{ key: 'response', value: say(`${response.expectation}${replyTo}`) }]),
      ...(contextRef === undefined ? [] : [{ key: 'context', value: say(contextRef) }]),
      ...(artifacts === undefined
        ? []
        : [{ key: 'artifacts', value: artifacts.map(({ type, ref }) => say(`[${type}] ${ref}`)) }]),
      ...(structured === undefined ? [] : [{ key: 'structured', value: say(JSON.stringify(structured)) }]),
    ],
    body: [say(message)],
    closed: true,
  };
}
