import { readTurnOutcome } from '@cuebook/engine';
import type { StoredEvent } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';

/** One step of a take, as a page shows it. */
export type TranscriptEntry =
  | { readonly by: 'user'; readonly text: string }
  | {
      readonly by: 'agent';
      readonly text: string;
      readonly calls: readonly { readonly name: string; readonly input: JsonValue }[];
    }
  | { readonly by: 'tool'; readonly name: string; readonly text: string };

/** Characters of one text, and entries: a take that goes round in circles says much. */
const MOST = { text: 20_000, entries: 200 };

/** What was said and done in a take, in the order of its record. */
export function transcriptOf(ask: string, events: readonly StoredEvent[]): readonly TranscriptEntry[] {
  const tools = new Map<string, string>();
  const entries: TranscriptEntry[] = ask === '' ? [] : [{ by: 'user', text: clip(ask) }];
  for (const { type, data } of events) {
    const { id = '', kind, input, outcome } = data as unknown as EffectData;
    if (type === 'effect.intended' && kind === 'tool.call') tools.set(id, input?.tool ?? '');
    if (type !== 'effect.settled' || outcome === undefined) continue;
    const tool = tools.get(id);
    if (tool !== undefined) entries.push({ by: 'tool', name: tool, text: clip(resultText(outcome)) });
    else if (id.startsWith('turn_')) {
      const { text, calls } = readTurnOutcome(outcome);
      entries.push({
        by: 'agent',
        text: clip(text),
        calls: calls.map(({ name, input: given }) => ({ name, input: clipped(given) })),
      });
    }
  }
  return entries.slice(0, MOST.entries);
}

interface EffectData {
  readonly id?: string;
  readonly kind?: string;
  readonly input?: { readonly tool?: string };
  readonly outcome?: Parameters<typeof readTurnOutcome>[0];
}

function resultText(outcome: NonNullable<EffectData['outcome']>): string {
  if (!outcome.ok) return `${outcome.error.code}: ${outcome.error.message}`;
  const { output } = outcome;
  if (typeof output === 'string') return output;
  const { text } = Object(output) as { readonly text?: unknown };
  return typeof text === 'string' ? text : JSON.stringify(output);
}

const clip = (text: string): string =>
  text.length <= MOST.text ? text : `${text.slice(0, MOST.text).toWellFormed()}\n[cut]`;

/** Arguments that are too long to be shown whole are shown as a text. */
function clipped(input: JsonValue): JsonValue {
  const told = JSON.stringify(input);
  return told.length <= MOST.text ? input : clip(told);
}
