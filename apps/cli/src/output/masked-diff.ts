import { guard } from '@cuebook/guard';
import { CONFIDENTIAL_MASK, type Prompt, renderDocument } from '@cuebook/prompt';
import {
  diffPrompts,
  type OriginChange,
  originName,
  type PromptDiff,
  type Subject,
} from '@cuebook/prompt/diff';

/**
 * Compares the truth and tells it without confidential words: that a confidential text changed is said, what
 * it says is not.
 */
export function compareMasked(before: Subject, after: Subject, { reveal }: { reveal: boolean }): PromptDiff {
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

function masked(subject: Subject): Subject {
  const { prompt } = subject;
  const { blocks } = renderDocument({ profile: '', prompt, tokens: { total: 0, byBlock: {} } });
  return { ...subject, prompt: { ...prompt, blocks } };
}

const maskLines = (change: OriginChange): OriginChange => ({
  ...change,
  addedLines: change.addedLines.length === 0 ? [] : [CONFIDENTIAL_MASK],
  removedLines: change.removedLines.length === 0 ? [] : [CONFIDENTIAL_MASK],
});
