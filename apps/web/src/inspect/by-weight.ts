import type { PromptDiff } from '@cuebook/prompt/diff';

type OriginChange = PromptDiff['origins'][number];

/**
 * Changes as a person reads them: words that somebody wrote first, and apart from them what only holds words together. Blank
 * lines say nothing in a list of changed lines; a change of nothing but them is left out.
 */
export function byWeight(changes: readonly OriginChange[]): {
  readonly words: readonly OriginChange[];
  readonly structure: readonly OriginChange[];
} {
  const told = changes
    .map((change) => ({
      ...change,
      addedLines: change.addedLines.filter(isWritten),
      removedLines: change.removedLines.filter(isWritten),
    }))
    .filter(
      ({ change, addedLines, removedLines }) =>
        change === 'moved' || addedLines.length + removedLines.length > 0,
    );
  const isStructure = ({ origin }: OriginChange) => origin.startsWith('structure ');
  return { words: told.filter((each) => !isStructure(each)), structure: told.filter(isStructure) };
}

const isWritten = (line: string): boolean => line.trim() !== '';
