import { stablePrefix, type Trust } from '@cuebook/prompt';
import type { EditorProject } from '../project.js';
import { linesOfText, type TextRange } from '../text/lines.js';
import { toldRanges } from './told.js';

/** A word that is shown in a text and does not stand in it. */
export interface InlayNote {
  readonly at: number;
  readonly label: string;
  readonly tip: string;
}

/** A part of a text and who could have written what is told there. */
export interface TrustRange {
  readonly range: TextRange;
  readonly trust: Trust;
}

/** Tokens of each block where it begins in its own file, tokens of a text at its top, and where the stable prefix ends. */
export async function notesOf(project: EditorProject, file: string): Promise<readonly InlayNote[]> {
  const text = await project.text(file);
  if (text === undefined) return [];
  const lines = linesOfText(text);
  const notes: InlayNote[] = [];
  const targets = project.targetsOf(file);
  const own = targets.filter((target) => project.checker.filesOf(target)[0] === file);
  const count = targets.length === 0 ? undefined : await project.tokenizer();
  if (count === undefined) return [];
  for (const target of own.slice(0, MAX_TARGETS)) {
    const composed = await project.composed(target);
    if (composed === undefined) continue;
    const told = toldRanges(composed, file, lines);
    for (const { name, role, text: words } of composed.prompt.blocks) {
      const first = told.find((each) => each.block === name);
      if (first === undefined || words === '') continue;
      const tokens = plural(count(words), 'token');
      notes.push({
        at: first.range.start,
        label: tokens,
        tip: `${target}: the ${role} block ${name} has ${tokens}`,
      });
    }
    const { stablePrefixBytes, brokenBy } = stablePrefix(composed.prompt);
    const broken = brokenBy === null ? undefined : told.find(({ span }) => span === brokenBy.span);
    if (broken === undefined || brokenBy === null) continue;
    const moved =
      brokenBy.savesBytes > 0 ? ` Behind what follows it would save ${brokenBy.savesBytes} bytes.` : '';
    notes.push({
      at: broken.range.start,
      label: `stable prefix: ${plural(stablePrefixBytes, 'byte')}`,
      tip: `${target}: what stands before this is the same in every turn, so providers can cache it.${moved}`,
    });
  }
  if (own.length === 0) {
    const tokens = plural(count(text), 'token');
    notes.push({
      at: 0,
      label: `${tokens}, ${plural(targets.length, 'prompt')}`,
      tip: `Told in ${targets.slice(0, 20).join(', ')}`,
    });
  }
  return notes;
}

/** Who could have written what is told from where in a file: sorted, without overlaps, each within one line. */
export async function trustRanges(project: EditorProject, file: string): Promise<readonly TrustRange[]> {
  const text = await project.text(file);
  if (text === undefined) return [];
  const lines = linesOfText(text);
  const index = await project.names();
  const found: TrustRange[] = [];
  for (const target of project.targetsOf(file).slice(0, MAX_TARGETS)) {
    const composed = await project.composed(target);
    if (composed === undefined) continue;
    for (const { range, span, how, isLast } of toldRanges(composed, file, lines)) {
      // An include that leads to texts of another file has no trust of its own.
      const asksHere = isLast && index.at(file, range.start)?.kinds.includes('input') === true;
      const isInput = how === 'led' && (span.origin.ref === file || asksHere);
      if (how === 'words' || isInput) found.push(...byLine(text, range, span.trust));
    }
  }
  return withoutOverlaps(found);
}

const MAX_TARGETS = 4;

function* byLine(text: string, { start, end }: TextRange, trust: Trust): Generator<TrustRange> {
  for (const { index, 0: line } of text.slice(start, end).matchAll(/[^\r\n]+/g)) {
    yield { range: { start: start + index, end: start + index + line.length }, trust };
  }
}

function withoutOverlaps(found: readonly TrustRange[]): readonly TrustRange[] {
  const sorted = [...found].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
  let last = 0;
  return sorted.filter(({ range }) => {
    if (range.start < last || range.end <= range.start) return false;
    last = range.end;
    return true;
  });
}

const plural = (many: number, word: string): string => `${many} ${word}${many === 1 ? '' : 's'}`;
