import { guarded } from '@cuebook/guard';
import type { Session, TurnEvent } from '@cuebook/provider';
import { applyAll, type Mask } from './mask.js';

/**
 * The same session, without secrets in what is heard: words come a little later, so that a secret that is cut in two
 * is found before its first half is told. Without secrets nothing is held back.
 */
export function maskedSession(session: Session, mask: Mask): Session {
  if (mask.reach === 0) return session;
  return {
    async *turn(input) {
      const words = createHeldWords(mask);
      for await (const event of session.turn(input)) yield* maskEvent(event, words, mask);
    },
    close: () => session.close(),
  };
}

type Delta = Extract<TurnEvent, { readonly type: 'text.delta' | 'reasoning.delta' }>;

function* maskEvent(event: TurnEvent, words: HeldWords, mask: Mask): Iterable<TurnEvent> {
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
      yield* words.add(event);
      return;
    // The arguments come whole with the end of the call.
    case 'tool.delta':
      return;
    case 'tool.end':
      yield* words.flush();
      yield { ...mask.value({ ...event, id: '' }), id: event.id } as TurnEvent;
      return;
    case 'approval.request':
    case 'log':
    case 'turn.end':
      yield* words.flush();
      yield mask.value(event as never) as TurnEvent;
      return;
    default:
      yield event;
  }
}

interface HeldWords {
  add(event: Delta): Iterable<Delta>;
  flush(): Iterable<Delta>;
}

function createHeldWords(mask: Mask): HeldWords {
  const held = new Map<string, Delta>();
  return {
    *add(event) {
      const key = `${event.type} ${event.block}`;
      const text = (held.get(key)?.text ?? '') + event.text;
      const found = guarded('secret.stream', () => mask.find(text), []);
      let cut = Math.max(0, text.length - mask.reach);
      for (const { start, end } of found) if (start < cut && end > cut) cut = start;
      if (cut > 0 && /[\uD800-\uDBFF]/.test(text[cut - 1] ?? '')) cut -= 1;
      held.set(key, { ...event, text: text.slice(cut) });
      if (cut === 0) return;
      yield {
        ...event,
        text: applyAll(
          text.slice(0, cut),
          found.filter(({ end }) => end <= cut),
        ),
      };
    },
    *flush() {
      for (const event of held.values())
        if (event.text !== '') yield { ...event, text: mask.text(event.text) };
      held.clear();
    },
  };
}
