import { guard } from '@cuebook/guard';
import { type Fields, fieldsOf, listOf, textOf } from '../agent/fields.js';
import type { Access } from '../turn.js';

/** The protocol's answer to a permission request. */
export type PermissionOutcome =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'selected'; readonly optionId: string };

/**
 * Picks the option that says no more than was decided: never "always", which would answer questions that
 * nobody asked, and never one whose id stands for another option too. Without a fitting option the request is
 * cancelled.
 */
export function answerPermission(options: unknown, isAllowed: boolean): PermissionOutcome {
  const kind = isAllowed ? 'allow_once' : 'reject_once';
  const offered = listOf(options).map(fieldsOf);
  const id = textOf(offered.find((option) => option.kind === kind)?.optionId);
  const others = offered.filter((option) => option.kind !== kind);
  const isDouble = others.some(({ optionId }) => optionId === id);
  return id === '' || guard('acp.option', isDouble)
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: id };
}

/**
 * What a session may do where nobody is asked. An agent that plans does by itself all that it may: what it asks
 * for is more. Files are edited where the session is for that and the agent says that it is an edit.
 */
export function isWithin(access: Access, { kind }: Fields): boolean {
  if (guard('acp.plan', access === 'plan')) return false;
  if (guard('acp.edit', access === 'edit')) return EDITS.has(textOf(kind));
  return true;
}

const EDITS: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
