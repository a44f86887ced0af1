import type { LiveView, RunEventView } from '@cuebook/api';
import type { LiveEvent } from '@cuebook/host';
import type { StoredEvent } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';

/** An event as it goes over the wire. */
export function eventView({ run, seq, at, type, command, hash }: StoredEvent, data: JsonValue): RunEventView {
  return { id: `${run}/${seq}`, run, seq, at, type, data: data as RunEventView['data'], command, hash };
}

/** A message of the stream with the cursor in its id. */
export const eventLine = (view: RunEventView): Buffer =>
  Buffer.from(`id: ${view.seq}\nevent: event\ndata: ${JSON.stringify(view)}\n\n`);

/** Live words have no id: a browser that comes back asks for what is behind the last event of the record. */
export function liveLine({ run, node, name, effect, event }: LiveEvent): Buffer {
  const view = { run, node, name, turn: effect, event } as unknown as LiveView;
  return Buffer.from(`event: live\ndata: ${JSON.stringify(view)}\n\n`);
}

/** Any other message. */
export const noteLine = (event: string, data: JsonValue): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

/** What keeps a silent connection open. Readers pass over it. */
export const HEARTBEAT = Buffer.from(': ok\n\n');
