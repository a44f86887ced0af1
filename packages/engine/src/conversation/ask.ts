import { ok, type Result } from '@cuebook/prompt';
import { checkBudget, type Exhausted, type Expected, holdBudget } from '../budget/check.js';
import type { BudgetEvent, BudgetLedger } from '../budget/ledger.js';
import type { DecideContext, EffectIntent, EngineEvent } from '../machine.js';

/** The budget that the next turn is looked at by. */
export interface Room {
  readonly budget: BudgetLedger;
  readonly scope: string;
  /** What the turn will cost at least. Left out: nothing is known but that it is a turn. */
  readonly expected?: Expected;
  /** Room in budgets that are not in this ledger. */
  readonly around?: ((expected: Expected) => Result<null, Exhausted>) | undefined;
}

/** Whether one more turn fits, in the budget of the conversation and in all that stands around it. */
export function checkRoom({ budget, scope, expected = NOTHING, around }: Room): Result<null, Exhausted> {
  const own = checkBudget(budget, scope, expected);
  return own.ok && around ? around(expected) : own;
}

const NOTHING: Expected = { tokens: 0, usd: 0 };

/** A turn to be asked for: what its conversation notes of it, and the effect that takes it. */
export interface NextTurn<Event> extends Omit<EffectIntent, 'id'> {
  readonly asked: Event;
}

/**
 * The next turn, also one that is tried again or with another model: looked at by the budget first, and in the log
 * before anybody begins it. An error says which budget is spent.
 */
export function askTurn<Event>(
  room: Room,
  { newId }: DecideContext,
  turn: (effect: string) => NextTurn<Event>,
): Result<readonly (Event | BudgetEvent | EngineEvent)[], Exhausted> {
  const checked = checkRoom(room);
  if (!checked.ok) return checked;
  const id = newId('turn');
  const { asked, ...intent } = turn(id);
  return ok([
    asked,
    holdBudget(id, room.scope, room.expected ?? NOTHING),
    { type: 'effect.intended', data: { id, ...intent } },
  ]);
}
