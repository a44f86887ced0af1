import { isReceiptType, type Masker, parseReceipt, type Receipt, type StoredEvent } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import { count, type Style, screenText } from '../output/style.js';

/** An event as `log --json` shows it: receipts in words. */
export interface ShownEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly command: string;
  readonly hash: string;
  readonly data: JsonValue;
}

export function shownEvent(event: StoredEvent, masker: Masker): ShownEvent {
  const { seq, type, command, hash } = event;
  const data = (receiptOf(event)?.data as JsonValue | undefined) ?? event.data;
  return { seq, at: timeText(event.at), type, command, hash, data: masker.value(data) };
}

/** The ids of agents' sessions in an event, where the machines put them: an agent that is asked for one goes on with it. */
export function sessionsOf({ data }: StoredEvent): readonly string[] {
  const { session, to, input, outcome } = fieldsOf(data);
  const { output } = fieldsOf(outcome);
  const found = [session, fieldsOf(to).session, fieldsOf(input).session, fieldsOf(output).sessionId];
  return found.filter((each) => typeof each === 'string');
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value);

/** One line for people: number, time, what happened. */
export function eventLine(
  event: StoredEvent,
  masker: Masker,
  { style, isTerminal }: { readonly style: Style; readonly isTerminal: boolean },
): string {
  const receipt = receiptOf(event);
  const said =
    receipt === undefined
      ? (movedText(event) ?? oneLine(JSON.stringify(masker.value(event.data))))
      : receiptText(receipt);
  const number = String(event.seq).padStart(5);
  return `${style.dim(`${number}  ${timeText(event.at)}`)}  ${event.type.padEnd(16)} ${screenText(masker.text(said), isTerminal)}\n`;
}

/** `2026-11-15T18:59:32.123Z`; a time that no calendar has is shown as its number. */
export function timeText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}

const receiptOf = ({ type, data }: StoredEvent): Receipt | undefined =>
  isReceiptType(type) ? parseReceipt(type, data) : undefined;

/** Who moved a run to other sources, and from which to which. */
function movedText({ type, data }: StoredEvent): string | undefined {
  if (type !== 'run.updated') return undefined;
  const { by, from, to } = Object(data) as {
    readonly by?: string;
    readonly from?: Moved;
    readonly to?: Moved;
  };
  const place = (each: Moved | undefined, when: string): string => {
    const commit = each?.commit?.slice(0, 12);
    if (each?.machine === null) return `commit ${commit}`;
    return `the folder as it was ${when}${commit === undefined ? '' : ` (commit ${commit} checked out)`}`;
  };
  const before = from ? place(from, 'before') : 'sources that were not kept';
  return oneLine(`other sources by ${by}: from ${before} to ${place(to, 'then')}`);
}

type Moved = { readonly commit?: string; readonly machine?: string | null } | null;

function receiptText({ type, data }: Receipt): string {
  if (type === 'turn.sent') return `${data.turn} sent again (${data.sent.ordinal}) by ${data.sent.channel}`;
  if (type === 'turn.ended') return `${data.turn} ${data.reason}`;
  const news =
    typeof data.blocks === 'string' ? undefined : data.blocks.filter((item) => !Array.isArray(item));
  const parts = [
    `${data.turn} of ${data.lane}`,
    ...(news === undefined ? [] : [count(news.length, 'new block')]),
    ...(data.to === undefined ? [] : [`to ${[data.to.provider, data.to.model].filter(Boolean).join(' ')}`]),
    ...(data.delta === undefined ? [] : ['sent as a delta']),
  ];
  return parts.join(', ');
}

const LONGEST = 160;
const oneLine = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
