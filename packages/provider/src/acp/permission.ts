import { type Fields, fieldsOf, listOf, textOf } from '../agent/fields.js';
import { guard } from '../guard.js';
import type { Access } from '../turn.js';

/** The protocol's answer to a permission request. */
export type PermissionOutcome =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'selected'; readonly optionId: string };

/**
 * Picks the option that says no more than was decided: never "always", which would answer questions that
 * nobody asked. Without a fitting option the request is cancelled.
 */
export function answerPermission(options: unknown, isAllowed: boolean): PermissionOutcome {
  const kind = isAllowed ? 'allow_once' : 'reject_once';
  const found = listOf(options)
    .map(fieldsOf)
    .find((option) => option.kind === kind);
  return found === undefined
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: textOf(found.optionId) };
}

/** What a session may do without asking, by the kind that the agent says its call is of. */
export function isWithin(access: Access, { kind }: Fields): boolean {
  if (guard('acp.plan', access === 'plan')) return READS.has(textOf(kind));
  if (guard('acp.edit', access === 'edit')) return READS.has(textOf(kind)) || EDITS.has(textOf(kind));
  return true;
}

const READS: ReadonlySet<string> = new Set(['read', 'search', 'think']);
const EDITS: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
