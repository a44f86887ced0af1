import type { SlotTarget } from '../exec/program.js';
import type { Value } from '../value/value.js';

/** Collects the source of one procedure. Every value in it is a name, a literal or a constant of the table. */
export interface CodeWriter {
  readonly lines: string[];
  readonly constants: unknown[];
  /** Slots that loops fill with what may be inside an interface. */
  readonly flagged: ReadonlySet<number>;
  /** What dot is here. */
  dot: Dot;
  names: number;
  /** Labels of what `break` and `continue` leave, the innermost last. */
  readonly breaks: string[];
  readonly continues: string[];
}

/** The names of dot, of whether it is an object literal, and of whether it is inside an interface. */
export interface Dot {
  readonly name: string;
  readonly isPlain: string;
  readonly isInterface: string;
}

export const line = ({ lines }: CodeWriter, source: string): void => {
  lines.push(source);
};

/** A name that nothing else has. */
export const fresh = (writer: CodeWriter, prefix: string): string => `${prefix}${writer.names++}`;

/** A name for a value that is used more than once. */
export function name(writer: CodeWriter, source: string): string {
  if (/^\w+$/.test(source)) return source;
  const own = fresh(writer, 't');
  line(writer, `const ${own}=${source};`);
  return own;
}

/** The source of a value that the template holds: a literal, or an entry of the table. */
export function constant(writer: CodeWriter, value: Value): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'undefined':
      return 'undefined';
    case 'number':
      if (Number.isSafeInteger(value)) return value < 0 ? `(${value})` : String(value);
  }
  return held(writer, value);
}

/** An entry of the table. */
export const held = ({ constants }: CodeWriter, value: unknown): string => `C[${constants.push(value) - 1}]`;

/** Reads a variable: the first slot that is set. */
export const readTarget = (target: SlotTarget): string => firstSet(target, (slot) => `v${slot}`);

/** Whether a variable is inside an interface. */
export const readFlag = ({ flagged }: CodeWriter, target: SlotTarget): string =>
  firstSet(target, (slot) => (flagged.has(slot) ? `f${slot}` : 'false'));

function firstSet({ name, slots, isCertain }: SlotTarget, read: (slot: number) => string): string {
  const uncertain = isCertain ? slots.slice(0, -1) : slots;
  const last = isCertain ? read(slots.at(-1) as number) : `undefinedVariable(s,${JSON.stringify(name)})`;
  if (uncertain.length === 0) return last;
  return `(${uncertain.map((slot) => `v${slot}!==UNSET?${read(slot)}:`).join('')}${last})`;
}

/** Gives a variable its value. */
export function writeTarget(writer: CodeWriter, target: SlotTarget, value: string, flag: string): void {
  const { name, slots, isCertain } = target;
  const set = (slot: number): string =>
    `v${slot}=${value};${writer.flagged.has(slot) ? `f${slot}=${flag};` : ''}`;
  const uncertain = isCertain ? slots.slice(0, -1) : slots;
  const last = isCertain
    ? `{${set(slots.at(-1) as number)}}`
    : `undefinedVariable(s,${JSON.stringify(name)});`;
  line(writer, uncertain.map((slot) => `if(v${slot}!==UNSET){${set(slot)}}else `).join('') + last);
}
