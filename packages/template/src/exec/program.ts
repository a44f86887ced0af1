import type { CommandNode, Node, Operand } from '../parse/node.js';
import { printBetween } from '../parse/print-node.js';
import type { ParsedText } from '../parse/template-tree.js';
import type { Value } from '../value/value.js';
import type { FunctionEntry, ParameterType } from './function-entry.js';
import type { Literal } from './literal.js';

/**
 * A template made ready to run, for both back ends: names of variables are slots, functions are found, arguments
 * are counted, and what must fail when it is reached is a step that fails.
 */
export interface Program {
  readonly procedures: readonly Procedure[];
  /** The places that errors and spans speak of. */
  readonly sites: Sites;
}

/** One template of the set: the text itself, a definition or a block. */
export interface Procedure {
  readonly name: string;
  readonly steps: readonly ProgramStep[];
  /** Slots of variables; slot 0 is `$`. */
  readonly slots: number;
}

/** The node of each site, and the template that is executing there: one after the other, from its start. */
export interface Sites {
  readonly nodes: readonly SiteNode[];
  readonly starts: readonly number[];
  readonly templates: readonly SiteTemplate[];
}

/** A template by the name under which it executes, and the text that it stands in. */
export interface SiteTemplate {
  readonly name: string;
  readonly source: ParsedText;
}

export type SiteNode = Node | Operand | CommandNode;

/** The template that is executing at a site. */
export function templateAt({ starts, templates }: Sites, site: number): SiteTemplate {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= site) low = middle;
    else high = middle;
  }
  return templates[low] as SiteTemplate;
}

/** The node of a site as error texts show it. */
export function printSite(sites: Sites, site: number): string {
  const node = sites.nodes[site];
  return node ? printBetween(templateAt(sites, site).source.delimiters, node) : '';
}

export type ProgramStep =
  | { readonly op: 'text'; readonly site: number; readonly text: string }
  | { readonly op: 'print'; readonly site: number; readonly value: Expression }
  | { readonly op: 'run'; readonly value: Expression }
  | {
      readonly op: 'branch';
      readonly isWith: boolean;
      readonly value: Expression;
      readonly list: readonly ProgramStep[];
      readonly otherwise: readonly ProgramStep[];
    }
  | RangeStep
  | {
      readonly op: 'template';
      readonly site: number;
      readonly name: string;
      /** Undefined when no template has the name. */
      readonly procedure: number | undefined;
      readonly value: Expression | undefined;
    }
  | { readonly op: 'break' | 'continue' };

export interface RangeStep {
  readonly op: 'range';
  readonly value: Expression;
  /** Variables that take the index and the element of each round. */
  readonly index: SlotTarget | undefined;
  readonly element: SlotTarget | undefined;
  readonly list: readonly ProgramStep[];
  readonly otherwise: readonly ProgramStep[];
}

/**
 * Where a variable may be: the first slot that is set. One slot nearly always; more when a declaration stands
 * where it may be skipped (`or .x ($y := 1)`), none when nothing declares the name before it is used.
 */
export interface SlotTarget {
  readonly name: string;
  readonly slots: readonly number[];
  /** Whether the last slot is always set. */
  readonly isCertain: boolean;
}

/** What yields a value. `at` is the site that errors name from there on. */
export type Expression =
  | { readonly op: 'constant'; readonly at: number; readonly value: Value }
  | { readonly op: 'dot'; readonly at: number }
  | { readonly op: 'variable'; readonly at: number; readonly target: SlotTarget }
  | FieldExpression
  | CallExpression
  | EitherExpression
  | PipeExpression
  | FailExpression;

/** `.a.b`, `$x.a` or `(pipeline).a`. */
export interface FieldExpression {
  readonly op: 'field';
  readonly at: number;
  readonly base: 'dot' | SlotTarget | Expression;
  readonly names: readonly string[];
  /** Only the last of the names takes arguments, and only if it is a method. */
  readonly args: readonly MethodArgument[];
  readonly first: Expression | undefined;
}

/** An argument of a method: one that is written out becomes what the parameter is. */
export type MethodArgument =
  | { readonly literal: Literal; readonly at: number }
  | { readonly literal: undefined; readonly value: Expression };

/** A call of a function. `first`, the value piped in, is computed before all else and passed last. */
export interface CallExpression {
  readonly op: 'call';
  readonly at: number;
  /** The command: what errors of the function itself name. */
  readonly callSite: number;
  readonly entry: FunctionEntry;
  readonly args: readonly ProgramArgument[];
  readonly first: Expression | undefined;
  readonly firstType: ParameterType;
}

/** Whether a value is the result of a function of the user, which returns an interface. */
export const isInterfaceCall = (expression: Expression): boolean =>
  expression.op === 'call' && expression.entry.builtin === undefined;

/** `and` and `or`: arguments are computed until one decides. */
export interface EitherExpression {
  readonly op: 'either';
  readonly at: number;
  readonly isOr: boolean;
  readonly args: readonly Expression[];
  readonly first: Expression | undefined;
  /** Slots that a skipped argument would have set. */
  readonly resets: readonly number[];
}

/** The value of the last stage, kept in variables. */
export interface PipeExpression {
  readonly op: 'pipe';
  readonly stage: Expression;
  readonly targets: readonly SlotTarget[];
}

/** Fails when it is reached; at -1 the site stays what it was. */
export interface FailExpression {
  readonly op: 'fail';
  readonly at: number;
  readonly message: string;
  readonly first: Expression | undefined;
}

export interface ProgramArgument {
  readonly value: Expression;
  readonly type: ParameterType;
}
