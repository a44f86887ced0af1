import type { EffectIntent, Observation, ObserveContext, TurnOutcome } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { eventsOf, type RebuiltTurn, type RunId, rebuildTurn, turnOf } from '@cuebook/journal';
import { accessOf } from '../capability/access.js';
import { inFolder } from '../graph/workspace.js';
import { composeTurn } from '../run/turn-words.js';
import { asOutput, nodeAnswer } from './answer.js';
import { bringFolder } from './held-folder.js';
import type { NodeTurnParts } from './turn-parts.js';

/**
 * What became of a turn that was begun and has no outcome. Its receipts say: without one nothing was sent, and it
 * may be taken; one that has its end was taken, and its answer is on record, unless its files went with a machine. A turn in between that could only read
 * is taken again. Of any other nobody knows what the agent has done, and a person is asked.
 */
export async function observeTurn(
  parts: NodeTurnParts,
  effect: EffectIntent,
  context: ObserveContext,
): Promise<Observation> {
  const run = context.run as RunId;
  const turn = await lastTry(parts, effect.id, run);
  if (guard('turn.unsent', turn === undefined)) return { state: 'not-done' };
  const { node: id } = effect.input as { readonly node: string };
  const { state } = await parts.engine().read(run);
  const found = state.nodes[id];
  const provider = found && parts.voices.entry(found.node.provider);
  if (!found?.work || !provider || turn === undefined) return { state: 'unknown' };
  const { access } = accessOf(found.node, found.work.globalMode, provider.capabilities);
  const isHarmless = access === 'plan' && provider.capabilities.planning;
  const rebuilt = await rebuildTurn(parts.store, run, turn);
  const end = rebuilt.ok ? rebuilt.value.end : undefined;
  const node = found.node;
  const there = await bringFolder(parts, { run, node, context });
  const place = { run, node: inFolder(node), turn: found.work.turn };
  // Its words are on record, and what it did in its folder went with the machine that it was on.
  const isLost = !isHarmless && (!there.ok || (await parts.workspaces.mayLack(place)));
  if (end && guard('turn.lost', isLost)) return { state: 'unknown' };
  if (end) {
    const { config, redactor, hash, limits } = parts;
    const composed = composeTurn(state, id, { config, redactor, hash, limits, offersTools: false });
    const stable = composed.ok ? composed.value.parts : {};
    const said = end.text === undefined ? [] : [end.text];
    const answer = nodeAnswer(turnOutcome(end), said, { redactor, parts: stable, isLeft: false });
    return { state: 'done', outcome: { ok: true, output: asOutput(answer) } };
  }
  return isHarmless ? { state: 'not-done' } : { state: 'unknown' };
}

/** The last try of a turn that has a receipt. */
async function lastTry({ store }: NodeTurnParts, effect: string, run: RunId): Promise<string | undefined> {
  let last: string | undefined;
  for await (const event of eventsOf(store, run)) {
    const turn = event.type === 'turn.recorded' ? turnOf(event) : undefined;
    if (turn === effect || turn?.startsWith(`${effect}.`)) last = turn;
  }
  return last;
}

function turnOutcome(end: NonNullable<RebuiltTurn['end']>): TurnOutcome {
  const { reason, stop, error, usage, sessionId, text = '', calls = [] } = end;
  const asked = calls.filter(({ by, output }) => by === 'caller' && output === undefined);
  const native = calls.filter((call) => !asked.includes(call));
  return {
    text,
    calls: asked.map(({ id, name, input = null, badInput }) => ({
      ...{ id, name, input },
      ...(badInput === undefined ? {} : { badInput }),
    })),
    end: {
      reason,
      ...(stop === undefined ? {} : { stop }),
      ...(error ? { code: error.code, message: error.message } : {}),
    },
    ...(usage ? { usage: usage as NonNullable<TurnOutcome['usage']> } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(native.length === 0
      ? {}
      : { native: native.map(({ input: _input, badInput: _bad, ...use }) => use) }),
  };
}
