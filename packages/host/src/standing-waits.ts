import type { ApprovalRow, DoubtfulEffect, Standing } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { Wait } from './wait.js';

/** What is known of a run that stands still, beside how it stands. */
export interface Still {
  readonly run: RunId;
  /** When its last event was written: what waits began with it. */
  readonly since: number;
  /** The numbers behind a stall or a spent budget. */
  readonly evidence: JsonValue | undefined;
  /** The unit that is spent. */
  readonly unit: 'turns' | 'tokens' | 'usd';
  /** How a failed run goes on; none: it does not. */
  readonly afterFailure: readonly string[];
  readonly failure: string | undefined;
}

/** What a run waits for that is no approval. */
export function standingWaits({ kind, target, status, wait }: Standing, still: Still): readonly Wait[] {
  const { run, since, evidence } = still;
  const base = {
    ...{ id: run, run, kind, target, lane: null, name: null, tool: '', input: null, since, expiresAt: null },
    ...(evidence === undefined ? {} : { evidence }),
  } as const;
  if (status === 'failed' && still.afterFailure.length > 0) {
    const [example = ''] = still.afterFailure;
    const reason = still.failure ?? 'The run has failed.';
    return [{ ...base, for: 'failed', reason, answers: still.afterFailure, example }];
  }
  switch (wait?.for) {
    case 'outcome':
      return wait.calls.map((call) => ({
        ...base,
        for: 'outcome',
        id: call.effect,
        tool: call.tool,
        input: inputOf(call),
        reason: 'A crash cut it off, and nobody knows whether it was done.',
        answers: ['not-done', 'unknown'],
        example: 'not-done',
      }));
    case 'input':
    case 'loop': {
      const answers = wait.for === 'loop' ? ['TEXT', 'resume'] : ['TEXT'];
      return [{ ...base, for: wait.for, reason: wait.message, answers, example: 'TEXT' }];
    }
    case 'budget': {
      const { limit } = Object(evidence) as { readonly limit?: number };
      return [{ ...base, for: 'budget', reason: wait.message, ...raiseForms(still.unit, limit) }];
    }
    default:
      return [];
  }
}

/** How a spent budget is answered: with a number that is more than the limit. */
export const raiseForms = (
  unit: 'turns' | 'tokens' | 'usd',
  limit: number | undefined,
): Pick<Wait, 'answers' | 'example'> => ({
  answers: [unit.toUpperCase()],
  example: String(Math.ceil((limit ?? 0) * 2) || 1),
});

/** An approval or a question that waits. */
export function approvalWait(row: ApprovalRow, { kind, target }: Pick<Wait, 'kind' | 'target'>): Wait {
  const { run, id, lane, tool, input, reason = null, askedAt, expiresAt, question, claimed } = row;
  return {
    ...{ id, run, kind, target, lane, name: null, tool, input, reason, since: askedAt, expiresAt },
    for: question === undefined ? 'approval' : 'question',
    ...(claimed && { claimed }),
    answers: question?.answers ?? ['yes', 'no'],
    example: question?.example ?? 'yes',
  };
}

/** The input of a call, or the beginning of it as a text. */
function inputOf({ input }: DoubtfulEffect): JsonValue {
  try {
    return JSON.parse(input) as JsonValue;
  } catch {
    return input;
  }
}
