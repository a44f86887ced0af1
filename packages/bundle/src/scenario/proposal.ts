import { guard } from '@cuebook/guard';

/** What a check-in may propose today. */
export interface ProposalPolicy {
  readonly allowed: boolean;
  readonly quota_remaining: number;
  readonly allowed_types: readonly string[];
}

/** A proposal is taken only when the policy allows its type and some of the quota is left; otherwise it is null. */
export function proposalProblems(value: unknown, policy: ProposalPolicy | undefined): readonly string[] {
  const proposal = (value as { readonly proposal?: unknown } | null)?.proposal;
  if (proposal === undefined || proposal === null) return [];
  const type = (proposal as { readonly type?: unknown }).type;
  const allowed =
    policy?.allowed === true && policy.quota_remaining > 0 && policy.allowed_types.includes(String(type));
  return guard('output.proposal', !allowed) ? ['proposal is null: none of this type may be made now'] : [];
}
