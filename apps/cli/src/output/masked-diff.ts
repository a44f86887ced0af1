import { guard } from '@cuebook/guard';
import { CONFIDENTIAL_MASK, type Prompt, renderDocument } from '@cuebook/prompt';
import {
  type DiffSide,
  diffPrompts,
  type OriginChange,
  originName,
  type PromptDiff,
} from '@cuebook/prompt/diff';

/**
 * Compares the truth and tells it without confidential words: that a confidential text changed is said, what
 * it says is not.
 */
export function compareMasked(
  before: DiffSide,
  after: DiffSide,
  { reveal }: { reveal: boolean },
): PromptDiff {
  const truth = diffPrompts(before, after);
  if (!guard('diff.mask', !reveal)) return truth;
  const hidden = new Set([...confidentialOrigins(before.prompt), ...confidentialOrigins(after.prompt)]);
  if (hidden.size === 0) return truth;
  const { obligations } = diffPrompts(masked(before), masked(after));
  return {
    ...truth,
    obligations,
    origins: truth.origins.map((each) => (hidden.has(each.origin) ? maskLines(each) : each)),
  };
}

const confidentialOrigins = (prompt: Prompt): readonly string[] =>
  prompt.blocks.flatMap(({ spans }) =>
    spans.flatMap(({ secrecy, origin }) => (secrecy === 'public' ? [] : [originName(origin)])),
  );

function masked(subject: DiffSide): DiffSide {
  const { prompt } = subject;
  const { blocks } = renderDocument({ profile: '', prompt, tokens: { total: 0, byBlock: {} } });
  return { ...subject, prompt: { ...prompt, blocks } };
}

const maskLines = (change: OriginChange): OriginChange => ({
  ...change,
  addedLines: change.addedLines.length === 0 ? [] : [CONFIDENTIAL_MASK],
  removedLines: change.removedLines.length === 0 ? [] : [CONFIDENTIAL_MASK],
});
