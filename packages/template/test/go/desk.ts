import type { CaseData, Datum, Kind } from './data.js';
import type { Random } from './random.js';

/** What is at hand while one template is written. */
export interface Desk {
  readonly random: Random;
  readonly data: CaseData;
  /** The names of templates that the case defines. */
  readonly defined: string[];
  /** The paths that `include` finds. */
  readonly paths: readonly string[];
  /** What the template uses: `action if`, `function len`, `verb d`. */
  readonly used: Set<string>;
  /** Out of a hundred, how often an operand is of the wrong kind. */
  readonly wildness: number;
}

/** What names mean at one place of a template. */
export interface Scope {
  /** What the dot is; undefined when that cannot be known. */
  readonly dot: Datum | undefined;
  readonly variables: readonly Variable[];
  readonly isInRange: boolean;
}

/** A declared variable. */
export interface Variable {
  readonly name: string;
  readonly kind: Kind;
  readonly datum?: Datum | undefined;
}

/** Notes what the template uses. */
export function use(desk: Desk, ...features: readonly string[]): void {
  for (const feature of features) desk.used.add(feature);
}

/** White space between words of an action: mostly one space. */
export function gap(desk: Desk): string {
  return desk.random.percent(92) ? ' ' : desk.random.pick(['  ', '\t', '\n', '\r\n', ' \n ']);
}
