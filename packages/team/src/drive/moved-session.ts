import type { EffectIntent } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { NodeState, TeamState } from '../run/state.js';
import type { NodeTurnParts } from './turn-parts.js';
import type { VoiceError } from './voices.js';

/** A turn whose session is one that this machine has, or a new one. */
export interface SettledTurn {
  readonly state: TeamState;
  readonly found: NodeState;
  /** This machine among those of the project; undefined: there is no other. */
  readonly machine: string | undefined;
}

/**
 * A session that lives in the home of another machine cannot be gone on with here: the conversation is told anew from
 * the record, and the record says so. One that lives in a script or with a vendor is the same everywhere.
 */
export async function settleSession(
  { engine, voices, machine: own }: NodeTurnParts,
  { id: effect }: EffectIntent,
  turn: Omit<SettledTurn, 'machine'> & { readonly run: RunId },
): Promise<Result<SettledTurn, VoiceError>> {
  const { run, state, found } = turn;
  const machine = await own?.();
  const from = found.session.machine;
  const isLocal = voices.entry(found.node.provider)?.kind === 'cli';
  if (machine === undefined || from === undefined || from === machine || !isLocal)
    return ok({ state, found, machine });
  if (found.work?.kind.kind !== 'delta') return ok({ state, found, machine });
  const move = { type: 'native.move', effect, from, to: machine, carried: false } as const;
  const moved = await engine().submit(run, { ...move, id: `move ${effect} ${machine}` });
  const after = moved.ok ? (await engine().read(run)).state : undefined;
  const node = after?.nodes[found.node.id];
  if (after === undefined || node === undefined) return fail(STALE);
  return ok({ state: after, found: node, machine });
}

const STALE = { code: 'E_NODE_IDLE', message: 'The turn is over.' };
