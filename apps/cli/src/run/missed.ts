import type { JsonValue, LiveView, RunEventView } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';

/**
 * Shows each turn once: as it is spoken where its beginning was heard, and the rest of it, or all of it, from the record
 * when it is over. A turn may begin before anybody follows, and its last words may come after its end is on record.
 */
export function createMissed(run: RunId, show: (live: LiveView) => void) {
  const shown = new Map<string, { chars: number; readonly tools: Set<string>; isOver: boolean }>();
  const nodes = new Map<string, Pick<LiveView, 'node' | 'name'>>();
  return {
    live(live: LiveView): void {
      const { turn, event } = live;
      if (event.type === 'turn.start') shown.set(turn, { chars: 0, tools: new Set(), isOver: false });
      const told = shown.get(turn);
      if (told === undefined || told.isOver) return;
      if (event.type === 'text.delta') told.chars += event.text.length;
      if (event.type === 'tool.end') told.tools.add(event.id);
      if (event.type === 'turn.end') told.isOver = true;
      show(live);
    },
    event({ type, data }: Pick<RunEventView, 'type' | 'data'>): void {
      // Some events say nothing but their name.
      const { id = '', kind, input, outcome } = (data ?? {}) as EffectWords;
      if (type === 'effect.intended' && kind === 'model.turn')
        nodes.set(id, { node: input?.frame ?? 'workflow', ...(input?.prompt && { name: input.prompt }) });
      // Who speaks in a turn that was asked for before anybody followed is not heard: it is told as the main thread's.
      const node = nodes.get(id) ?? (id.startsWith('turn_') ? { node: 'main' } : undefined);
      const { output } = outcome ?? {};
      const told = shown.get(id);
      if (type !== 'effect.settled' || node === undefined || told?.isOver || output === undefined) return;
      const tell = (event: LiveView['event']): void => show({ run, ...node, turn: id, event });
      if (told === undefined)
        tell({ type: 'turn.start', provider: '', ...(output.rehearsal ? { rehearsal: true } : {}) });
      shown.set(id, { chars: 0, tools: new Set(), isOver: true });
      const rest = (output.text ?? '').slice(told?.chars ?? 0);
      if (rest !== '') tell({ type: 'text.delta', block: 0, text: rest });
      for (const { id: call, name, input: args } of output.calls ?? [])
        if (!told?.tools.has(call)) tell({ type: 'tool.end', id: call, name, by: 'caller', input: args });
      const { reason = 'done', code, message = '' } = output.end ?? {};
      tell({
        type: 'turn.end',
        reason,
        ...(code === undefined ? {} : { error: { code, message, retryable: false } }),
      });
    },
  };
}

type TurnEnd = Extract<LiveView['event'], { readonly type: 'turn.end' }>;

/** What the events of a turn's effect hold, as far as a screen shows it. */
interface EffectWords {
  readonly id?: string;
  readonly kind?: string;
  readonly input?: { readonly frame?: string; readonly prompt?: string };
  readonly outcome?: {
    readonly output?: {
      readonly text?: string;
      readonly rehearsal?: boolean;
      readonly end?: {
        readonly reason: TurnEnd['reason'];
        readonly code?: string;
        readonly message?: string;
      };
      readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: JsonValue }[];
    };
  };
}
