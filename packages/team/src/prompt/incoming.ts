import { type LabelledShell, type Piece, printJson } from '@cuebook/prompt';
import type { Envelope } from '../graph/envelope.js';
import type { TeamNode } from '../graph/node.js';
import { phrase, quoted, stated } from './say.js';
import { reportFields } from './work-report.js';

/** What a person wrote to a node. */
export type PersonMessage = {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  /** It was to stop what the node was doing. */
  readonly interrupt: boolean;
  /** A context pack, or another text of the run, that it refers to. */
  readonly contextRef?: string;
};

/** A person's message as a part of the task payload. */
export const messageShell = ({ id, text, by, interrupt, contextRef }: PersonMessage): LabelledShell => ({
  header: 'INCOMING_MESSAGE',
  fields: [
    { key: 'id', value: stated(id, 'message') },
    { key: 'from', value: quoted(by, { trust: 'user', ref: 'message' }) },
    { key: 'delivery', value: stated(interrupt ? 'interrupt' : 'queue', 'message') },
    ...(contextRef === undefined
      ? []
      : [{ key: 'context', value: quoted(contextRef, { trust: 'user', ref: 'message' }) }]),
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
  const fact = (text: string): Piece => stated(text, 'envelope');
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
              value: phrase(
                fact(status.ok ? 'ok' : 'failed'),
                ...(status.reason ? [fact(' ('), say(status.reason), fact(')')] : []),
              ),
            },
          ]),
      ...(response === undefined
        ? []
        : [
            {
              key: 'response',
              value: phrase(
                say(response.expectation),
                ...(response.replyTo === undefined ? [] : [fact(' replyTo='), say(response.replyTo)]),
              ),
            },
          ]),
      ...(contextRef === undefined ? [] : [{ key: 'context', value: say(contextRef) }]),
      ...(artifacts === undefined
        ? []
        : [
            {
              key: 'artifacts',
              value: artifacts.map(({ type, ref }) => phrase(fact('['), say(type), fact('] '), say(ref))),
            },
          ]),
      ...(structured === undefined ? [] : [{ key: 'structured', value: say(printJson(structured)) }]),
      ...(envelope.work === undefined ? [] : reportFields(envelope.work)),
    ],
    body: [say(message)],
    closed: true,
  };
}
