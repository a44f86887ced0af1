import type { JsonValue } from '@cuebook/prompt';
import { type Fields, fieldsOf, jsonOf, listOf, textOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';

/** Turns the agent's updates into events. What it does not know is passed over: agents add kinds of their own. */
export interface Updates {
  take(update: unknown): void;
  /**
   * What a permission request says about its call: some agents announce a call in no other way, others say here
   * only which one they mean. Answers all that is known of it.
   */
  announce(call: Fields): AnnouncedCall;
  /** Ends the calls that the agent left open. */
  finish(): void;
  /** All text so far, as long as it is short: see `saidError`. */
  readonly said: () => string;
  /** Calls of the agent's own tools so far. */
  readonly calls: () => number;
}

export interface AnnouncedCall {
  readonly call: Fields;
  readonly isOurs: boolean;
}

/** `isOurs` tells calls of our own tools: those are reported by whoever runs them, once, with exact input. */
export function readUpdates(turn: LiveTurn, isOurs: (call: Fields) => boolean): Updates {
  const open = new Map<string, Fields>();
  /** Calls that are over. */
  const settled = new Set<string>();
  const ours = new Set<string>();
  let block = -1;
  let last = '';
  let said = '';
  let calls = 0;

  const speak = (type: 'text.delta' | 'reasoning.delta', update: Fields): void => {
    const text = textOf(fieldsOf(update.content).text);
    const source = `${type} ${textOf(update.messageId)}`;
    if (source !== last) block += 1;
    last = source;
    if (type === 'text.delta' && said.length < MAX_SAID) said += text;
    if (text !== '') turn.emit({ type, block, text });
  };

  const takeCall = (update: Fields): void => {
    const id = textOf(update.toolCallId);
    if (id === '' || settled.has(id) || ours.has(id)) return;
    last = '';
    const known = open.get(id);
    const call = merge(known ?? {}, update);
    if (isOurs(call)) return void ours.add(id);
    if (open.size < MAX_OPEN || known !== undefined) open.set(id, call);
    if (known === undefined) {
      calls += 1;
      turn.emit({ type: 'tool.start', id, name: callName(call), by: 'agent' });
    }
    if (call.status === 'completed' || call.status === 'failed') end(id, call);
  };

  const end = (id: string, call: Fields, lost = false): void => {
    open.delete(id);
    settled.add(id);
    const output = lost ? 'The agent did not say how it ended.' : outputOf(call);
    const isError = lost || call.status === 'failed';
    turn.emit({
      type: 'tool.end',
      id,
      name: callName(call),
      by: 'agent',
      input: callInput(call),
      ...(output === '' ? {} : { output }),
      ...(isError ? { isError } : {}),
    });
  };

  return {
    take(given) {
      const update = fieldsOf(given);
      if (update.sessionUpdate === 'agent_message_chunk') speak('text.delta', update);
      if (update.sessionUpdate === 'agent_thought_chunk') speak('reasoning.delta', update);
      if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
        takeCall(update);
    },
    announce(call) {
      takeCall({ ...call, status: 'pending' });
      const id = textOf(call.toolCallId);
      return { call: open.get(id) ?? call, isOurs: ours.has(id) };
    },
    finish() {
      for (const [id, call] of [...open]) end(id, call, true);
    },
    said: () => said,
    calls: () => calls,
  };
}

const MAX_SAID = 1000;
/** Calls that run at one time; an agent that opens more has its later ones ended without their input. */
const MAX_OPEN = 1000;

/** A call by its own name where the agent says it, else by its kind: titles are sentences. */
export const callName = ({ name, kind, title }: Fields): string =>
  (textOf(name) || textOf(kind) || textOf(title) || 'tool').slice(0, 200);

/** The arguments where the agent shows them, else what it shows instead: a title, a diff, the places. */
export function callInput({ rawInput, title, content, locations }: Fields): JsonValue {
  if (rawInput !== undefined && rawInput !== null) return jsonOf(rawInput);
  const paths = listOf(locations).map((place) => textOf(fieldsOf(place).path));
  return jsonOf({
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(paths.length === 0 ? {} : { paths }),
  });
}

function outputOf({ content, rawOutput }: Fields): string {
  const texts = listOf(content).map((part) => textOf(fieldsOf(fieldsOf(part).content).text));
  const text = texts.filter((each) => each !== '').join('\n');
  if (text !== '' || rawOutput === undefined || rawOutput === null) return text;
  return typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput);
}

/** An update says only what is new. */
const merge = (known: Fields, update: Fields): Fields => ({
  ...known,
  ...Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined && value !== null)),
});
