import { quote } from '../../diagnostic.js';
import { inputName } from '../../names.js';
import { type GoPieces, goCall, goPath, goPrint, goText, isFieldName } from '../go.js';
import { sectionRemark } from '../section-remark.js';
import { isForeignField, type TemplateRemark, type TemplateToken } from '../tokens.js';

/** One tag as mustache.js finds it. */
export interface MustacheTag {
  readonly kind: 'tag';
  /** `name`, or the character that says what it is. */
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export type MustacheNode = Extract<TemplateToken, { readonly kind: 'text' }> | MustacheTag;

export const isSection = ({ type }: MustacheTag): boolean => type === '#' || type === '^';

export interface NestedSections {
  readonly tokens?: readonly TemplateToken[];
  readonly remarks: readonly TemplateRemark[];
}

/**
 * Sections as templates. A section is repeated for each item of a list, or shown once for a value; a name is looked up in
 * the item, then in what is around it, and last among the inputs.
 */
export function nestSections(nodes: readonly MustacheNode[], template: string): NestedSections {
  const hasSections = nodes.some((node) => node.kind === 'tag' && isSection(node));
  const sections = new Sections(nodes, template);
  const tokens = sections.top(hasSections);
  return sections.isWhole ? { tokens, remarks: sections.remarks } : { remarks: sections.problems };
}

/** Sections that nest deeper are refused: nobody reads such a template. */
const MAX_DEPTH = 20;

class Sections {
  readonly remarks: TemplateRemark[] = [];
  readonly problems: TemplateRemark[] = [];
  #at = 0;
  #isOver = false;
  readonly #nodes: readonly MustacheNode[];
  readonly #template: string;

  constructor(nodes: readonly MustacheNode[], template: string) {
    this.#nodes = nodes;
    this.#template = template;
  }

  get isWhole(): boolean {
    return this.problems.length === 0;
  }

  top(hasSections: boolean): readonly TemplateToken[] {
    const tokens: TemplateToken[] = [];
    for (let node = this.#nodes[this.#at]; node !== undefined; node = this.#nodes[this.#at]) {
      this.#at += 1;
      if (node.kind === 'text') tokens.push(node);
      else if (isSection(node)) {
        const pieces = this.#section(node, 0, 0);
        const { start } = node;
        const end = this.#nodes[this.#at - 1]?.start ?? start;
        tokens.push({ kind: 'section', pieces, start, end });
        this.remarks.push(sectionRemark(this.#written(node), pieces, start));
      } else if (node.type === '/') this.#refuse(node, 'closes a section that is not open in this text');
      else if (node.type !== '!') tokens.push(this.#variable(node, hasSections));
    }
    return tokens;
  }

  #variable(tag: MustacheTag, hasSections: boolean): TemplateToken {
    const { value: name, start, end } = tag;
    if (!hasSections || !name.includes('.')) return { kind: 'variable', name, start, end };
    return { kind: 'section', pieces: goPrint(this.#value(tag, 0, true)), start, end };
  }

  /** A section whose opening tag was read; `scopes` values stand around it. */
  #section(tag: MustacheTag, scopes: number, depth: number): GoPieces {
    const isInverted = tag.type === '^';
    if (depth >= MAX_DEPTH) return this.#giveUp(tag, 'nests too deep');
    const subject = this.#value(tag, scopes, !isInverted);
    const inner = isInverted ? scopes : scopes + 1;
    const from = this.#at;
    const body: GoPieces[] = [];
    for (let node = this.#nodes[this.#at]; ; node = this.#nodes[this.#at]) {
      this.#at += 1;
      if (node === undefined || (node.kind === 'tag' && node.type === '/' && node.value !== tag.value)) {
        return this.#giveUp(tag, 'is not closed by its own end in this text');
      }
      if (node.kind === 'text') body.push(node.text === '' ? [] : [goText(node.text)]);
      else if (node.type === '/') break;
      else if (isSection(node)) body.push(this.#section(node, inner, depth + 1));
      else if (node.type !== '!') body.push(this.#print(node, inner));
    }
    if (isInverted)
      return ['{{if ', ...goCall('not', [goCall('present', [subject])]), '}}', ...body.flat(), '{{end}}'];
    const inside = this.#nodes.slice(from, this.#at);
    const asks = (test: (tag: MustacheTag) => boolean): boolean =>
      inside.some((node) => node.kind === 'tag' && test(node));
    // Where the value is true the section shows what is around it, and the top prints as an object.
    const around: readonly GoPieces[] = asks(({ value }) => value === '.')
      ? [[scopes === 0 ? '"[object Object]"' : '.']]
      : [];
    const variable = asks(isSection) ? `$item${inner} := ` : '';
    return [`{{range ${variable}`, ...goCall('each', [subject, ...around]), '}}', ...body.flat(), '{{end}}'];
  }

  #print(tag: MustacheTag, scopes: number): GoPieces {
    if (scopes === 0 && !tag.value.includes('.')) {
      this.#requireField(tag);
      return [{ show: tag.value, dot: '.' }];
    }
    return goPrint(this.#value(tag, scopes, true));
  }

  /** The value of a name: found in the innermost value that has it, last among the inputs. */
  #value(tag: MustacheTag, scopes: number, isPrinted: boolean): GoPieces {
    if (tag.value === '.') return ['.'];
    const path = tag.value.split('.');
    this.#requireField(tag);
    if ((scopes > 0 ? path : path.slice(1)).some(isForeignField))
      this.#refuse(tag, 'names something that JavaScript values have of their own');
    let found = goPath(path, { dot: scopes === 0 ? '.' : '$.', isPrinted });
    for (let scope = 1; scope <= scopes; scope += 1)
      found = goCall('lookup', [found, [scope === scopes ? '.' : `$item${scope}`]], path);
    return found;
  }

  /** The rest is not looked at: nothing tells any more where a section ends. */
  #giveUp(tag: MustacheTag, why: string): [] {
    if (!this.#isOver) this.#refuse(tag, why);
    this.#isOver = true;
    this.#at = this.#nodes.length;
    return [];
  }

  #requireField(tag: MustacheTag): void {
    if (!isFieldName(inputName(tag.value.split('.')[0] ?? '')))
      this.#refuse(tag, 'has a name that a template cannot hold');
  }

  #written({ start, end }: MustacheTag): string {
    return this.#template.slice(start, end);
  }

  #refuse(tag: MustacheTag, why: string): void {
    const message = `${quote(this.#written(tag))} ${why}; the prompt was not imported`;
    this.problems.push({ code: 'W_IMPORT_SECTION', severity: 'warning', start: tag.start, message });
  }
}
