import { isDeepStrictEqual } from 'node:util';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { type Fields, fieldsOf, jsonOf, listOf, textOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { Echoes } from './echo.js';
import { ACTS, isOtherAct } from './other-act.js';

/** Turns the agent's updates into events. What it does not know is passed over: agents add kinds of their own. */
export interface Updates {
  /** `elsewhere`: under the name of another session. What is done there is told, what is said there is not. */
  take(update: unknown, elsewhere?: boolean): void;
  /**
   * What a permission request says about its call: some agents announce a call in no other way, others say here
   * only which one they mean. Answers all that is known of it, and what the request itself says.
   */
  announce(call: Fields): AnnouncedCall;
  /** The call was allowed. */
  allow(id: string): void;
  /** Another prompt is answered: its words stand apart from those before it. */
  begin(): void;
  /** Ends the calls that the agent left open. */
  finish(): void;
  /** All text so far, as long as it is short: see `saidError`. */
  readonly said: () => string;
  /** Calls of the agent's own tools so far. */
  readonly calls: () => number;
}

export interface AnnouncedCall {
  /** As events name it. */
  readonly id: string;
  readonly call: Fields;
}

/**
 * Whatever the agent reports is told, once; only what repeats a call that came over our own channel is not told
 * twice. A report that reads as one of those is held back until it is known. `onUnasked` hears of a call that
 * changed something, by the agent's own word, and that nobody had allowed.
 */
export function readUpdates(
  turn: LiveTurn,
  echoes: Pick<Echoes, 'readsAsOurs' | 'claim'>,
  onUnasked: (tool: string) => void,
): Updates {
  const open = new Map<string, Fields>();
  /** Reports that read as calls of ours. */
  const held = new Map<string, Fields>();
  /** Calls that are over, and what they were. */
  const settled = new Map<string, string>();
  /** What the agent asked for: the words of its request, and those that it had said of the call before. */
  const asked = new Map<string, Fields>();
  const allowed = new Set<string>();
  let block = -1;
  let last = '';
  let said = '';
  let calls = 0;
  let nameless = 0;

  const speak = (type: 'text.delta' | 'reasoning.delta', update: Fields): void => {
    const text = textOf(fieldsOf(update.content).text);
    const source = `${type} ${textOf(update.messageId)}`;
    if (source !== last) block += 1;
    last = source;
    if (type === 'text.delta' && said.length < MAX_SAID) said += text;
    if (text !== '') turn.emit({ type, block, text });
  };

  /** The name of a call in events. An id that was used before names another call when it says something else. */
  const idOf = (update: Fields): string => {
    const given = textOf(update.toolCallId);
    let id = given;
    if (given === '') {
      nameless += 1;
      id = `nameless-${nameless}`;
    }
    for (let time = 2; isOther(settled.get(id), update); time += 1) id = `${given}~${time}`;
    return id;
  };

  const begin = (id: string, call: Fields): void => {
    calls += 1;
    turn.emit({ type: 'tool.start', id, name: callName(call), by: 'agent' });
  };

  const takeCall = (update: Fields): string => {
    const id = idOf(update);
    if (settled.has(id)) return id;
    last = '';
    const known = open.get(id) ?? held.get(id);
    const call = merge(known ?? {}, update);
    const isOver = call.status === 'completed' || call.status === 'failed';
    if (!open.has(id) && !asked.has(id) && echoes.readsAsOurs(call)) {
      held.set(id, call);
      if (isOver) settleHeld(id, call);
      return id;
    }
    held.delete(id);
    if (!open.has(id)) begin(id, call);
    const isFull = !open.has(id) && open.size >= MAX_OPEN;
    open.set(id, call);
    if (isOver || isFull) end(id, call, !isOver);
    return id;
  };

  const settleHeld = (id: string, call: Fields, lost = false): void => {
    held.delete(id);
    if (echoes.claim(call)) return void settled.set(id, wordsOf(call));
    begin(id, call);
    end(id, call, lost);
  };

  const end = (id: string, call: Fields, lost = false): void => {
    open.delete(id);
    settled.set(id, wordsOf(call));
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
    if (isError || !ACTS.has(textOf(call.kind))) return;
    const isSame = allowed.has(id) && !guard('acp.other-act', isOtherAct(asked.get(id) ?? {}, call));
    if (!isSame) onUnasked(callName(call));
  };

  return {
    take(given, elsewhere = false) {
      const update = fieldsOf(given);
      const { sessionUpdate } = update;
      if (sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update') return void takeCall(update);
      if (elsewhere) return;
      if (sessionUpdate === 'agent_message_chunk') speak('text.delta', update);
      if (sessionUpdate === 'agent_thought_chunk') speak('reasoning.delta', update);
    },
    announce(given) {
      const id = idOf(given);
      allowed.delete(id);
      asked.set(id, given);
      const call = { ...given, toolCallId: id, status: 'pending' };
      takeCall(call);
      const known = open.get(id) ?? {};
      asked.set(id, merge(known, given));
      return { id, call: asAsked(known, given) };
    },
    allow: (id) => void allowed.add(id),
    finish() {
      for (const [id, call] of [...held]) settleHeld(id, call, true);
      for (const [id, call] of [...open]) end(id, call, true);
    },
    begin: () => {
      last = '';
    },
    said: () => said,
    calls: () => calls,
  };
}

/** What makes a call this one and not another. */
const wordsOf = ({ name, title, kind, rawInput }: Fields): string =>
  JSON.stringify([name, title, kind, rawInput]);

/** Whether an update says something else than the call that is over under its id. */
function isOther(
  settled: string | undefined,
  { sessionUpdate, name, title, kind, rawInput }: Fields,
): boolean {
  if (settled === undefined) return false;
  if (sessionUpdate === 'tool_call') return true;
  const words = JSON.parse(settled) as readonly unknown[];
  return [name, title, kind, rawInput].some(
    (said, at) => said !== undefined && said !== null && !isDeepStrictEqual(said, words[at] ?? undefined),
  );
}

/**
 * A call as a person is asked about it: what the request itself says goes before what was said of it earlier,
 * and where it says other things than its arguments, those are shown too.
 */
function asAsked(known: Fields, request: Fields): Fields {
  const own = merge(known, request);
  const isTold = request.rawInput !== undefined && request.rawInput !== null;
  const more = ['title', 'content', 'locations'].some((key) => request[key] !== undefined);
  if (isTold || !more || own.rawInput === undefined) return own;
  const { rawInput, ...words } = own;
  return { ...own, rawInput: { announced: rawInput, asked: callInput(words) } };
}

const MAX_SAID = 1000;
/** Calls that run at one time; an agent that opens more has its later ones ended without their input. */
const MAX_OPEN = 1000;

/** A call by its own name where the agent says it, else by its kind: titles are sentences of the model's. */
export const callName = ({ name, kind }: Fields): string =>
  (textOf(name) || textOf(kind) || 'tool').slice(0, 200);

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
