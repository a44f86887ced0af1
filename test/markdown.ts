/** A fenced block of a Markdown file. */
export interface Fence {
  /** The first word after the opening marks; empty when there is none. */
  readonly language: string;
  /** The words after the language. */
  readonly flags: readonly string[];
  readonly code: string;
  /** The line of the opening marks, from 1. */
  readonly line: number;
}

/** The fenced blocks, in order. A block that is not closed reaches to the end, as Markdown has it. */
export function fencesIn(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { marks: string; info: string; indent: number; line: number; body: string[] } | undefined;
  const close = () => {
    if (!open) return;
    const [language = '', ...flags] = open.info.split(/\s+/);
    fences.push({ language, flags, code: `${open.body.join('\n')}\n`, line: open.line });
    open = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', marks = '', info = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open) {
      const isEnd = marks.startsWith(open.marks) && info.trim() === '';
      if (isEnd) close();
      else open.body.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)));
    } else if (marks !== '') {
      open = { marks, info: info.trim(), indent: indent.length, line: index + 1, body: [] };
    }
  }
  close();
  return fences;
}

/** A link or an image outside fenced blocks and code spans. */
export interface Link {
  readonly target: string;
  readonly line: number;
}

/** The targets of inline links, images and reference definitions. */
export function linksIn(text: string): readonly Link[] {
  const links: Link[] = [];
  let fence = '';
  for (const [index, line] of text.split('\n').entries()) {
    const marks = /^ *(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (marks !== '' && (fence === '' || marks.startsWith(fence))) fence = fence === '' ? marks : '';
    if (fence !== '' || marks !== '') continue;
    const prose = line.replace(/`[^`]*`/g, '');
    const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)/g);
    const named = prose.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/g);
    const pictures = prose.matchAll(/<(?:img|source|a)\b[^>]*?(?:src|srcset|href)="([^"]+)"/g);
    for (const [, target = ''] of [...inline, ...named, ...pictures]) links.push({ target, line: index + 1 });
  }
  return links;
}

/** The names that headings can be linked by, as code hosts make them. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const headings = text.matchAll(/^#{1,6} +(.+?) *#*$/gm);
  const slug = (heading: string) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
  return new Set([...headings].map(([, heading = '']) => slug(heading)));
}
