import { quote } from '../../diagnostic.js';
import {
  isInherited,
  looksLikeName,
  mergeTokens,
  type ReadTemplate,
  type TemplateRemark,
} from '../tokens.js';
import { isSection, type MustacheNode, type MustacheTag, nestSections } from './sections.js';

/**
 * Mustache as mustache.js 4.2 reads it with escaping switched off: `@langfuse/client` and `@langchain/core`. Variables,
 * comments and sections have a meaning in a sheet; everything else is refused by name.
 */
export function readMustache(template: string): ReadTemplate {
  const lines = new Lines();
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    lines.text(template.slice(at, open < 0 ? template.length : open), at);
    if (open < 0) break;
    const tag = tagAt(template, open);
    if (tag === undefined) {
      const syntax = { code: 'E_IMPORT_SYNTAX', severity: 'error', start: open, message: UNCLOSED } as const;
      return { remarks: [...judgeAll(lines.nodes, template), syntax] };
    }
    lines.tag(tag);
    at = tag.end;
  }
  lines.end();
  const remarks = judgeAll(lines.nodes, template);
  if (remarks.some(({ severity }) => severity !== 'info')) return { remarks };
  const { tokens, remarks: more } = nestSections(lines.nodes, template);
  return { ...(tokens === undefined ? {} : { tokens: mergeTokens(tokens) }), remarks: [...remarks, ...more] };
}

/** What there is to say about the tags one by one. */
function judgeAll(nodes: readonly MustacheNode[], template: string): readonly TemplateRemark[] {
  const hasSections = nodes.some((node) => node.kind === 'tag' && isSection(node));
  const open: MustacheTag[] = [];
  let scopes = 0;
  return nodes.flatMap((node) => {
    if (node.kind !== 'tag') return [];
    const isItem = node.value === '.' && scopes > 0;
    if (isSection(node)) open.push(node);
    if (node.type === '#') scopes += 1;
    if (node.type === '/' && open.pop()?.type === '#') scopes -= 1;
    if (node.type === '/' || (isItem && node.type !== '>')) return [];
    const remark = judge(node, template.slice(node.start, node.end), hasSections);
    return remark === undefined ? [] : [remark];
  });
}

const UNCLOSED = 'A tag is opened with {{ and not closed: the library refuses the template';

/** The tag that opens at an offset; undefined when it is not closed. */
function tagAt(template: string, start: number): MustacheTag | undefined {
  const kind = 'tag';
  let at = skipBlanks(template, start + 2);
  const sigil = template[at] ?? '';
  const type = sigil !== '' && '#^/>{&=!'.includes(sigil) ? sigil : 'name';
  if (type !== 'name') at = skipBlanks(template, at + 1);
  if (type === '=') {
    const equals = template.indexOf('=', at);
    const close = equals < 0 ? -1 : template.indexOf('}}', equals + 1);
    return close < 0 ? undefined : { kind, type, value: template.slice(at, equals), start, end: close + 2 };
  }
  const close = template.indexOf(type === '{' ? '}}}' : '}}', at);
  if (close < 0) return undefined;
  const value = template.slice(at, close).trimEnd();
  return { kind, type, value, start, end: close + (type === '{' ? 3 : 2) };
}

function skipBlanks(template: string, at: number): number {
  BLANKS.lastIndex = at;
  return at + (BLANKS.exec(template)?.[0].length ?? 0);
}

const BLANKS = /\s*/y;

/** Most tags: nothing to say. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;

function judge(
  { type, value, start }: MustacheTag,
  written: string,
  hasSections: boolean,
): TemplateRemark | undefined {
  const say = (
    code: TemplateRemark['code'],
    severity: TemplateRemark['severity'],
    message: string,
  ): TemplateRemark => ({ code, severity, start, message });
  if (type === 'name' && PLAIN.test(value) && !isInherited(value)) return undefined;
  const shown = quote(written);
  if (type === '>' || type === '=')
    return say(
      'W_IMPORT_HELPER',
      'warning',
      `${shown} ${type === '>' ? 'is a partial' : 'changes the delimiters'}, which a sheet cannot hold; the prompt was not imported`,
    );
  if (type === '!')
    return say('W_IMPORT_COMMENT', 'info', `The comment ${shown} was left out; it was never sent`);
  if (!looksLikeName(value))
    return say(
      'W_IMPORT_NAME',
      'warning',
      `${shown} does not name a variable: some libraries print nothing for it, others print it as it stands; the prompt was not imported`,
    );
  if (isInherited(value))
    return say(
      'W_IMPORT_NAME',
      'warning',
      `${shown} names something that every JavaScript object has; the prompt was not imported`,
    );
  if (type === '#' || type === '^') return undefined;
  if (type !== 'name')
    return say(
      'W_IMPORT_DIALECT',
      'info',
      `${shown} became the input ${quote(value)}; libraries that know only {{name}} print it as it stands`,
    );
  if (value.includes('.') && !hasSections)
    return say(
      'W_IMPORT_DIALECT',
      'info',
      `${shown} became one input: hand in the value that stands at ${quote(value)}; libraries without dotted names look up the whole name`,
    );
  return undefined;
}

/** Texts and tags by line: a line of blanks, comments and the tags of sections alone goes, as mustache has it. */
class Lines {
  readonly nodes: MustacheNode[] = [];
  /** Indexes of the texts of the line at hand. */
  #texts: number[] = [];
  #hasTag = false;
  #hasWords = false;

  text(text: string, start: number): void {
    let from = 0;
    while (from < text.length) {
      const found = text.indexOf('\n', from);
      const to = found < 0 ? text.length : found + 1;
      const part = text.slice(from, to);
      this.#texts.push(this.nodes.length);
      this.nodes.push({ kind: 'text', text: part, start: start + from });
      if (/\S/.test(part)) this.#hasWords = true;
      if (found >= 0) this.end();
      from = to;
    }
  }

  tag(tag: MustacheTag): void {
    this.nodes.push(tag);
    this.#hasTag = true;
    if (['name', '{', '&'].includes(tag.type)) this.#hasWords = true;
  }

  /** The end of a line, or of the template. */
  end(): void {
    if (this.#hasTag && !this.#hasWords)
      for (const index of this.#texts) this.nodes[index] = { kind: 'text', text: '', start: 0 };
    this.#texts = [];
    this.#hasTag = false;
    this.#hasWords = false;
  }
}
