import type { AgentRecord } from '@cuebook/platform';
import { OWNER, type Principal } from '../http/auth.js';

/** Owners and agents see what is their own; reviewers, publishers and auditors see all. */
export function maySee({ name, roles }: Principal, { agent, review }: AgentRecord): boolean {
  if (roles.some((role) => role === OWNER || ALL_CARDS.has(role))) return true;
  return roles.includes('platform:agent') ? agent === name : review.owner === name;
}

const ALL_CARDS: ReadonlySet<string> = new Set([
  'platform:reviewer',
  'platform:publisher',
  'platform:auditor',
]);
