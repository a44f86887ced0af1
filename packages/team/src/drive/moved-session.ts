import type { EffectIntent } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import { inFolder } from '../graph/workspace.js';
import type { NodeState, TeamState } from '../run/state.js';
import { putSession } from './carried-session.js';
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
 * A session that lives in the home of another machine is gone on with where that one kept its files, and the agent
 * takes them; else the conversation is told anew from the record. The record says which. One that lives in a script or
 * with a vendor is the same everywhere.
 */
export async function settleSession(
  parts: NodeTurnParts,
  { id: effect }: EffectIntent,
  turn: Omit<SettledTurn, 'machine'> & { readonly run: RunId },
): Promise<Result<SettledTurn, VoiceError>> {
  const { engine, voices, machine: own } = parts;
  const { run, state, found } = turn;
  const machine = await own?.();
  const from = found.session.machine;
  const isLocal = voices.entry(found.node.provider)?.kind === 'cli';
  if (machine === undefined || from === undefined || from === machine || !isLocal)
    return ok({ state, found, machine });
  if (found.work?.kind.kind !== 'delta') return ok({ state, found, machine });
  const carried = await carry(parts, { run, found });
  const move = { type: 'native.move', effect, from, to: machine, carried } as const;
  const moved = await engine().submit(run, { ...move, id: `move ${effect} ${machine}` });
  const after = moved.ok ? (await engine().read(run)).state : undefined;
  const node = after?.nodes[found.node.id];
  if (after === undefined || node === undefined) return fail(STALE);
  return ok({ state: after, found: node, machine });
}

/** Puts the files of a session in place; false: it is told anew. */
async function carry(
  { shared, voices, workspaces }: NodeTurnParts,
  { run, found }: { readonly run: RunId; readonly found: NodeState },
): Promise<boolean> {
  const { node, session } = found;
  const provider = voices.find(node.provider);
  const agent = provider.ok ? provider.value.sessionFiles : undefined;
  const { id, turn } = session;
  if (shared === undefined || agent === undefined || id === null || turn === undefined) return false;
  const cwd = workspaces.folderOf(run, inFolder(node));
  return putSession(shared, agent, {
    ...{ run, node: node.id, provider: node.provider, session: id, turn, cwd },
  });
}

const STALE = { code: 'E_NODE_IDLE', message: 'The turn is over.' };
