import { codeRanges, isWithin } from './code-spans.js';

/** `#tool:name`, `#file:name`, and a Markdown link to a file; not links to the web or inside of a page. */
const REFERENCE =
  /#(?:tool|file):[^\s)]+|\[[^\]\n]{0,500}\]\(\s*(?![a-z][a-z0-9+.-]*:|#|\/\/)[^)\n]{1,500}\)/gi;

/** What VS Code adds to the context where an instruction file names it. In code it is text. */
export function findEditorReferences(
  text: string,
): readonly { readonly start: number; readonly words: string }[] {
  const code = codeRanges(text);
  return [...text.matchAll(REFERENCE)]
    .filter((match) => !isWithin(code, match.index))
    .map((match) => ({ start: match.index, words: match[0] }));
}
