import type { TurnSummaryView } from '@cuebook/api';
import { eventsOf, type RunId, type Store, type StoredEvent } from '@cuebook/journal';
import type { AnyTeamEvent } from '@cuebook/team';

/** The turns of a run in the order they began, from its events. */
export async function turnList(store: Pick<Store, 'read'>, run: RunId): Promise<readonly TurnSummaryView[]> {
  const turns = new Map<string, TurnSummaryView>();
  /** Which turn of which node an effect belongs to. */
  const effects = new Map<string, { readonly kind: string; readonly turn: string }>();
  /** The turn that a node is in. */
  const current = new Map<string, string>();
  for await (const event of eventsOf(store, run)) follow({ turns, effects, current }, event);
  return [...turns.values()];
}

interface Draft {
  readonly turns: Map<string, TurnSummaryView>;
  readonly effects: Map<string, { readonly kind: string; readonly turn: string }>;
  readonly current: Map<string, string>;
}

function follow({ turns, effects, current }: Draft, stored: StoredEvent): void {
  const event = stored as unknown as AnyTeamEvent & { readonly at: number };
  switch (event.type) {
    case 'turn.started': {
      const { effect, node, turn, kind, cause } = event.data;
      current.set(node, effect);
      effects.set(effect, { kind: 'node.turn', turn: effect });
      turns.set(effect, {
        turn: effect,
        node,
        number: turn,
        prompt: kind.kind,
        ...(kind.kind === 'full' ? { why: kind.why } : {}),
        cause,
        startedAt: event.at,
        endedAt: null,
        reason: null,
        text: null,
        error: null,
        diff: null,
        flagged: [],
      });
      return;
    }
    case 'effect.intended': {
      const turn = current.get(/^node\/(.+)$/.exec(event.data.lane)?.[1] ?? '');
      if (turn !== undefined && !effects.has(event.data.id))
        effects.set(event.data.id, { kind: event.data.kind, turn });
      return;
    }
    case 'effect.settled': {
      const of = effects.get(event.data.id);
      const turn = of && turns.get(of.turn);
      if (of && turn) turns.set(of.turn, { ...turn, ...learnt(of.kind, event.data.outcome) });
      return;
    }
    case 'changes.flagged': {
      const id = current.get(event.data.node) ?? '';
      const turn = turns.get(id);
      if (turn) turns.set(id, { ...turn, flagged: [...event.data.files] });
      return;
    }
    case 'turn.closed': {
      const id = current.get(event.data.node) ?? '';
      const turn = turns.get(id);
      if (turn?.number === event.data.turn)
        turns.set(id, { ...turn, endedAt: event.at, reason: event.data.reason });
      return;
    }
    default:
      return;
  }
}

type Settled = Extract<AnyTeamEvent, { readonly type: 'effect.settled' }>['data']['outcome'];

/** What the outcome of one of its effects says about a turn. */
function learnt(kind: string, outcome: Settled): Partial<TurnSummaryView> {
  if (kind === 'diff.take') return outcome.ok ? { diff: diffOf(outcome.output) } : {};
  if (kind !== 'node.turn') return {};
  if (!outcome.ok) return { error: outcome.error };
  const { text, end } = (outcome.output ?? {}) as { text?: unknown; end?: Record<string, unknown> };
  const failed =
    end?.code === undefined ? null : { code: String(end.code), message: String(end.message ?? '') };
  return { text: typeof text === 'string' ? text : null, error: failed };
}

function diffOf(output: unknown): TurnSummaryView['diff'] {
  const { hash, artifact, files } = (output ?? {}) as { hash?: unknown; artifact?: unknown; files?: unknown };
  return {
    hash: typeof hash === 'string' ? hash : null,
    artifact: typeof artifact === 'string' ? artifact : null,
    files: Array.isArray(files) ? files.map(String) : [],
  };
}
