import { guard } from '@cuebook/guard';
import { quote } from '../../diagnostic.js';
import type { TemplateRemark } from '../tokens.js';

/** `{{ words }}` or `{% words %}`. */
export interface NunjucksTag {
  readonly kind: 'variable' | 'block';
  readonly words: string;
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

export type NunjucksNode =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | NunjucksTag;

export interface ScannedNunjucks {
  /** There when every tag is closed. */
  readonly nodes?: readonly NunjucksNode[];
  readonly remarks: readonly TemplateRemark[];
}

const CLOSE: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };

/** Texts and tags, comments left out; a dash inside of a tag takes the white space beside it away. */
export function scanNunjucks(template: string): ScannedNunjucks {
  const nodes: NunjucksNode[] = [];
  const remarks: TemplateRemark[] = [];
  const fail = (start: number, message: string): ScannedNunjucks => ({
    remarks: [...remarks, { code: 'E_IMPORT_SYNTAX', severity: 'error', start, message }],
  });
  let at = 0;
  let isTrimmed = false;
  while (at < template.length) {
    OPEN.lastIndex = at;
    const found = OPEN.exec(template);
    const start = found?.index ?? template.length;
    const mark = found?.[0] ?? '';
    if (mark === '#}')
      return fail(start, 'A comment ends that was not opened: the library refuses the template');
    const text = template.slice(at, start);
    const left = isTrimmed ? text.trimStart() : text;
    const cut = template[start + 2] === '-' && found !== null ? left.trimEnd() : left;
    if (cut !== '') nodes.push({ kind: 'text', text: cut, start: at });
    if (found === null) break;
    const close = template.indexOf(CLOSE[mark] ?? '', start + 2);
    if (close < 0)
      return fail(start, `A tag is opened with ${mark} and not closed: the library refuses the template`);
    at = close + 2;
    const written = template.slice(start, at);
    const inside = template.slice(start + 2, close);
    isTrimmed = inside.endsWith('-');
    if (mark === '{#') {
      const message = `The comment ${quote(written)} was left out; it was never sent`;
      remarks.push({ code: 'W_IMPORT_COMMENT', severity: 'info', start, message });
      continue;
    }
    if (guard('adopt.nunjucks.space', FOREIGN_SPACE.test(inside)))
      return fail(start, `${quote(written)} holds white space that the library takes for a part of a name`);
    const words = inside.replace(/^-|-$/g, '').trim();
    nodes.push({ kind: mark === '{{' ? 'variable' : 'block', words, written, start, end: at });
  }
  return { nodes, remarks };
}

/** White space for JavaScript that is none for the lexer of Nunjucks: it is a part of the name it stands beside. */
const FOREIGN_SPACE = /[^\S \n\t\r\u00a0]/;
const OPEN = /\{\{|\{%|\{#|#\}/g;
