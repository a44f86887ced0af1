import type { Datum, Kind } from './data.js';
import type { Desk, Scope } from './desk.js';
import { callTo, constant, type Expression, reachable } from './expressions.js';

/** What a range goes over: never a number from the data that would keep it going for ever. */
export function pickRange(desk: Desk, scope: Scope, wanted: string): Expression {
  const { random } = desk;
  const known = reachable(scope).filter(isShort);
  const kind =
    wanted === 'range over a map' ? 'map' : random.percent(70) ? 'list' : random.pick(['map', 'list']);
  const found = known.filter((one) => one.kind === kind);
  const count = random.pick(['0', '1', '2', '3', '4', '-1', "'\\x03'"]);
  const number: Expression = { text: count, isOperand: true, kind: 'int' };
  if (wanted === 'range over a number' || (wanted === 'range' && random.percent(12))) return number;
  if (found.length > 0 && random.percent(15) && kind === 'list')
    return callTo(desk, { ...scope, variables: [], dot: scope.dot }, 'slice', 1, 'list');
  if (found.length > 0) return random.pick(found);
  if (random.percent(desk.wildness)) return constant(desk, random.pick(['string', 'float', 'bool']));
  return known.length > 0 && random.percent(20) ? random.pick(known) : number;
}

/** What a `with` or a template is given: something whose shape is known, and no number to count to. */
export function pickSubject(desk: Desk, scope: Scope): Expression {
  const known = reachable(scope).filter(isShort);
  if (known.length > 0 && desk.random.percent(80)) return desk.random.pick(known);
  const kind = desk.random.pick<Kind>(['string', 'bool', 'float']);
  const text = constant(desk, kind);
  return { ...text, datum: { kind, json: '' } };
}

/** What the dot of a template of its own is likely to be. */
export const pickDot = (desk: Desk, scope: Scope): Datum | undefined => pickSubject(desk, scope).datum;

const isShort = ({ kind, datum }: Expression): boolean =>
  datum !== undefined && (kind !== 'int' || Math.abs(Number(datum.json)) < 300) && isShallow(datum);

/** False when a number to count to could be inside. */
const isShallow = (datum: Datum): boolean =>
  [...(datum.items ?? []), ...Object.values(datum.fields ?? {})].every(
    (inner) => (inner.kind !== 'int' || Math.abs(Number(inner.json)) < 300) && isShallow(inner),
  );
