import type { AnswerJudge } from '@cuebook/profile';
import type { JsonValue } from '@cuebook/prompt';
import type { CardDraft, Persona } from '../card/schema.js';
import { readJson } from '../json/read.js';
import { checkOutput } from './output.js';
import type { ProposalPolicy } from './proposal.js';
import type { OutputContract, Scenario } from './scenario.js';

/** What an answer in a scenario is held to, as plain JSON: it goes with the run that asks for it. */
type ScenarioContract = {
  readonly scenario: string;
  readonly output: OutputContract;
  readonly name?: string;
  readonly persona?: Persona;
  readonly policy?: ProposalPolicy;
  readonly scores?: readonly (readonly [group: string, score: number])[];
};

/** The contract of a scenario with these values, for the agent of a card. */
export function contractOf(
  { id, output, side }: Pick<Scenario, 'id' | 'output' | 'side'>,
  values: Readonly<Record<string, string>>,
  card: Pick<CardDraft, 'name' | 'persona'> | undefined,
): JsonValue {
  const { proposal_policy_json: policy, ranked_groups: ranked } = values;
  const contract: ScenarioContract = {
    scenario: id,
    output,
    ...(side === 'agent' && card !== undefined && { name: card.name }),
    ...(side === 'agent' && card?.persona !== undefined && { persona: card.persona }),
    ...(policy !== undefined && { policy: policyIn(policy) }),
    ...(ranked !== undefined && { scores: scoresIn(ranked) }),
  };
  return JSON.parse(JSON.stringify(contract)) as JsonValue;
}

/** Judges an answer by such a contract. */
export const judgeScenario: AnswerJudge = (contract, answer) => {
  const { scenario: id, output, scores, ...context } = contract as unknown as ScenarioContract;
  const checked = checkOutput({ id, output }, answer, {
    ...context,
    ...(scores !== undefined && { scores: new Map(scores) }),
  });
  return checked.ok ? [] : checked.error.problems;
};

/** What is no policy allows nothing. */
function policyIn(text: string): ProposalPolicy {
  const read = readJson(Buffer.from(text));
  const value = (read.ok ? read.value : null) as Partial<ProposalPolicy> | null;
  const { allowed, quota_remaining, allowed_types } = value ?? {};
  return {
    allowed: allowed === true,
    quota_remaining: typeof quota_remaining === 'number' ? quota_remaining : 0,
    allowed_types: Array.isArray(allowed_types) ? allowed_types.map(String) : [],
  };
}

/** The scores of a list of ranked groups; a list that cannot be read ranks none. */
function scoresIn(text: string): readonly (readonly [string, number])[] {
  const read = readJson(Buffer.from(text));
  const rows = read.ok && Array.isArray(read.value) ? (read.value as readonly unknown[]) : [];
  return rows.flatMap((row) => {
    const { group_id, score } = (row ?? {}) as { readonly group_id?: unknown; readonly score?: unknown };
    return typeof group_id === 'string' && typeof score === 'number' ? [[group_id, score] as const] : [];
  });
}
