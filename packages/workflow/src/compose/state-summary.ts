import { guard } from '@cuebook/guard';
import { type JsonValue, type Piece, printJson, type Redactor } from '@cuebook/prompt';
import type { WorkflowState } from '../state/schema.js';
import { withRemoved } from './labels.js';

/** In characters of JSON: what a state may take of a prompt. */
export const SUMMARY_BUDGET = 8_000;

export interface SummaryInput {
  readonly state: WorkflowState;
  /** The node that the run is at; left out once the workflow is complete. */
  readonly currentNodeId?: string;
  /** Cleans keys and leaves before they are printed. */
  readonly redactor?: Redactor | undefined;
  readonly budget?: number;
}

/**
 * The state as a JSON object: whole when it fits, else with long values cut and then with variables left out,
 * last first, and their number told. It is valid JSON at any size, and the same state gives the same bytes.
 */
export function stateSummary({
  state,
  currentNodeId,
  redactor,
  budget = SUMMARY_BUDGET,
}: SummaryInput): readonly Piece[] {
  const whole = summaryOf(state, currentNodeId);
  const clean =
    redactor === undefined
      ? whole
      : (redactor.redactValue(whole as unknown as JsonValue).value as unknown as Summary);
  const text = print(clean);
  const shown = guard('compose.budget', text.length > budget) ? print(shorten(clean, budget)) : text;
  return withRemoved({
    text: shown,
    origin: { kind: 'variable', ref: '@state/workflow.md' },
    trust: 'agent',
    secrecy: 'public',
    volatility: 'turn',
  });
}

interface Summary {
  readonly currentNodeId?: string;
  readonly stepsCompleted: readonly unknown[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly variablesOmitted?: number;
  readonly decisionLogCount: number;
  readonly artifacts: readonly unknown[];
}

const summaryOf = (state: WorkflowState, currentNodeId: string | undefined): Summary => ({
  ...(currentNodeId === undefined ? {} : { currentNodeId }),
  stepsCompleted: state.stepsCompleted,
  variables: state.variables,
  decisionLogCount: state.decisionLog.length,
  artifacts: state.artifacts,
});

/** Indented, so that no line begins with both a brace and a name: such a line reads as a call of a tool. */
const print = (value: unknown): string => printJson(value, 2);

function shorten(summary: Summary, budget: number): Summary {
  const fixed = {
    ...summary,
    stepsCompleted: cutList(summary.stepsCompleted, MAX_IDS),
    artifacts: cutList(summary.artifacts, MAX_IDS),
    variables: {},
  };
  const kept: [string, unknown][] = [];
  const entries = Object.entries(summary.variables);
  let size = print({ ...fixed, variablesOmitted: entries.length }).length;
  for (const [key, value] of entries) {
    const entry = [cutText(key, MAX_KEY), cutValue(value, 0)] as const;
    // Four spaces at most in front, a comma and a line feed behind.
    size += print({ [entry[0]]: entry[1] }).length + 4 * (1 + print(entry[1]).split('\n').length);
    if (size > budget) break;
    kept.push([entry[0], entry[1]]);
  }
  const omitted = entries.length - kept.length;
  return {
    ...fixed,
    variables: Object.fromEntries(kept),
    ...(omitted === 0 ? {} : { variablesOmitted: omitted }),
  };
}

const MAX_IDS = 20;
const MAX_KEY = 80;
const MAX_TEXT = 200;
const MAX_ITEMS = 10;
const MAX_DEPTH = 3;

function cutValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, MAX_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return Array.isArray(value) ? `(${value.length} items)` : '(more below)';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => cutValue(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `(${value.length - MAX_ITEMS} more items)`] : items;
  }
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, MAX_ITEMS)
    .map(([key, item]) => [cutText(key, MAX_KEY), cutValue(item, depth + 1)]);
  const more = entries.length - shown.length;
  return Object.fromEntries(more > 0 ? [...shown, ['(more)', more]] : shown);
}

function cutText(text: string, max: number): string {
  const chars = text.length > max ? [...text] : [];
  return chars.length > max ? `${chars.slice(0, max).join('')}… (${chars.length} characters)` : text;
}

/** The latest ids or paths, with a word about the earlier ones. */
function cutList(list: readonly unknown[], max: number): readonly unknown[] {
  const shown = list.slice(-max).map((item) => cutText(String(item), MAX_KEY));
  return list.length > max ? [`(${list.length - max} earlier)`, ...shown] : shown;
}
