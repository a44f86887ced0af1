import { quote } from '../diagnostic.js';
import { findAtPaths } from '../template/at-paths.js';
import { codeRanges, isWithin } from '../template/code-spans.js';
import { findEditorReferences } from '../template/editor-references.js';
import type { ExportReport } from '../writer.js';

/** What a tool acts on in the text of its instruction file, in place of showing it to the model. */
export interface ActedOn {
  readonly find: (text: string) => readonly { readonly start: number; readonly words: string }[];
  /** What the tool does there, and how the text stays text. */
  readonly says: string;
}

/** `@path`, which a tool replaces by a file. */
export const atPaths = (tool: string): ActedOn => ({
  find: (text) => findAtPaths(text).map(({ start, path }) => ({ start, words: `@${path}` })),
  says: `${tool} reads a file of that name in its place. Write it in backticks if it is only text`,
});

const outsideCode =
  (pattern: RegExp): ActedOn['find'] =>
  (text) => {
    const code = codeRanges(text);
    return [...text.matchAll(pattern)]
      .filter((match) => !isWithin(code, match.index))
      .map((match) => ({ start: match.index, words: match[0] }));
  };

/** Comments of HTML that stand alone. */
export const comments = (tool: string): ActedOn => ({
  find: outsideCode(/^[ \t]*<!--[\s\S]*?-->/gm),
  says: `${tool} leaves out comments, so the model does not see this. Write it as text if it should`,
});

/** `#tool:name`, `#file:name` and links to files. */
export const editorReferences = (tool: string): ActedOn => ({
  find: findEditorReferences,
  says: `${tool} adds the tool or file that is named; a link starts from the folder of the exported file. Write it in backticks if it is only text`,
});

/** Names each place of a text that is more than text to the tool that reads it. */
export function sayActedOn(text: string, acts: readonly ActedOn[], report: ExportReport): void {
  for (const { find, says } of acts) {
    const [first, ...more] = find(text);
    if (first === undefined) continue;
    const line = text.slice(0, first.start).split('\n').length;
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    report.warn(
      'W_EXPORT_READERS',
      `line ${line} of the text holds ${quote(first.words.trim())}${others}: ${says}`,
    );
  }
}
