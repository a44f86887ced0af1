import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveTurn } from '../src/stream/live-turn.js';
import type { TurnEvent } from '../src/turn.js';

/** The lines of a recorded stream as objects: what the real program wrote, its folder called `/project`. */
export const fixture = (name: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Takes events as a live turn would. */
export function listener(): { readonly events: TurnEvent[]; readonly emit: LiveTurn['emit'] } {
  const events: TurnEvent[] = [];
  return { events, emit: (event) => void events.push(event) };
}

/** Events in a few words, deltas of one block joined. */
export function brief(events: readonly TurnEvent[]): readonly string[] {
  const lines: string[] = [];
  let last = '';
  for (const event of events) {
    const key = 'block' in event ? `${event.type} ${event.block}` : '';
    if ('block' in event && key === last) lines[lines.length - 1] += event.text;
    else lines.push(briefOf(event));
    last = key;
  }
  return lines;
}

function briefOf(event: TurnEvent): string {
  switch (event.type) {
    case 'text.delta':
      return `text ${event.block}: ${event.text}`;
    case 'reasoning.delta':
      return `reasoning ${event.block}: ${event.text}`;
    case 'tool.start':
      return `start ${event.name} by ${event.by}`;
    case 'tool.end':
      return `end ${event.name}${event.isError ? ' (error)' : ''}: ${JSON.stringify(event.output)}`;
    case 'usage':
      return `usage ${event.usage.inputTokens} in, ${event.usage.outputTokens} out`;
    case 'log':
      return `${event.level}: ${event.text}`;
    default:
      return event.type;
  }
}
