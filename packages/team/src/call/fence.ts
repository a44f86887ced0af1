/** An open code fence: its character and length. */
export interface CodeFence {
  readonly mark: '`' | '~';
  readonly length: number;
}

/**
 * The fence after a line: opened, closed or as it was. As in Markdown a fence has three or more marks, is closed
 * by at least as many of the same and nothing else, and one inside another is text. It may stand behind spaces,
 * list marks and quote marks.
 */
export function fenceAfter(fence: CodeFence | null, line: string): CodeFence | null {
  const bare = line.replace(fence ? /^[ \t>]*/ : CONTAINER, '').trimEnd();
  const mark = bare[0];
  if (mark !== '`' && mark !== '~') return fence;
  let length = 1;
  while (bare[length] === mark) length += 1;
  if (length < 3) return fence;
  const rest = bare.slice(length);
  if (fence) return mark === fence.mark && length >= fence.length && rest === '' ? null : fence;
  return mark === '`' && rest.includes('`') ? null : { mark, length };
}

const CONTAINER = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*/;
