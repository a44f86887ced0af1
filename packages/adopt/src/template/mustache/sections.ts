import { quote } from '../../diagnostic.js';
import { inputName } from '../../names.js';
import {
  type GoPieces,
  goArgument,
  goCall,
  goPath,
  goPrint,
  goString,
  goText,
  isFieldName,
  joined,
} from '../go.js';
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

/** Where a section stands, and where its pieces go: each is written once, however deep. */
interface SectionPlace {
  /** How many values stand around it. */
  readonly scopes: number;
  readonly depth: number;
  readonly out: GoPieces[];
}

class Sections {
  readonly remarks: TemplateRemark[] = [];
  readonly problems: TemplateRemark[] = [];
  #at = 0;
  #isOver = false;
  /** Values by scope and name: a name at one depth is looked up in one way. */
  readonly #values = new Map<string, GoPieces>();
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
        const written: GoPieces[] = [];
        this.#section(node, { scopes: 0, depth: 0, out: written });
        const pieces = written.flat();
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

  /** Writes a section whose opening tag was read to `out`; answers whether `{{.}}` stands in it. */
  #section(tag: MustacheTag, { scopes, depth, out }: SectionPlace): boolean {
    if (depth >= MAX_DEPTH) return this.#giveUp(tag, 'nests too deep');
    const isInverted = tag.type === '^';
    const subject = this.#value(tag, scopes, !isInverted);
    const inside = { scopes: isInverted ? scopes : scopes + 1, depth: depth + 1, out };
    const opening = out.push([]) - 1;
    let asksItem = tag.value === '.';
    let asksName = false;
    for (let node = this.#nodes[this.#at]; ; node = this.#nodes[this.#at]) {
      this.#at += 1;
      if (node === undefined || (node.kind === 'tag' && node.type === '/' && node.value !== tag.value)) {
        return this.#giveUp(tag, 'is not closed by its own end in this text');
      }
      if (node.kind === 'text') out.push(node.text === '' ? [] : [goText(node.text)]);
      else if (node.type === '/') break;
      else if (isSection(node)) {
        asksName = true;
        if (this.#section(node, inside)) asksItem = true;
      } else if (node.type !== '!') {
        if (node.value === '.') asksItem = true;
        out.push(this.#print(node, inside.scopes));
      }
    }
    // Where the value is true the section shows what is around it, and the top prints as an object.
    const around: readonly GoPieces[] = asksItem ? [[scopes === 0 ? '"[object Object]"' : '.']] : [];
    out[opening] = isInverted
      ? ['{{if ', ...goCall('not', [goCall('present', [subject])]), '}}']
      : [
          `{{range ${asksName ? `$item${inside.scopes} := ` : ''}`,
          ...goCall('each', [subject, ...around]),
          '}}',
        ];
    out.push(['{{end}}']);
    return asksItem;
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
    const key = `${scopes} ${isPrinted} ${tag.value}`;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = this.#lookUp(tag, scopes, isPrinted);
    if (this.isWhole) this.#values.set(key, value);
    return value;
  }

  #lookUp(tag: MustacheTag, scopes: number, isPrinted: boolean): GoPieces {
    const path = tag.value.split('.');
    this.#requireField(tag);
    if ((scopes > 0 ? path : path.slice(1)).some(isForeignField))
      this.#refuse(tag, 'names something that JavaScript values have of their own');
    const found = goPath(path, { dot: scopes === 0 ? '.' : '$.', isPrinted });
    if (scopes === 0) return found;
    // The innermost call is written first: a call for each scope around would copy those inside of it.
    const fields = path.map((field) => ` ${goString(field)}`).join('');
    const tail = Array.from({ length: scopes }, (_, index) =>
      index + 1 === scopes ? ` .${fields}` : ` $item${index + 1}${fields})`,
    ).join('');
    return joined([`${'lookup ('.repeat(scopes - 1)}lookup `, ...goArgument(found), tail]);
  }

  /** The rest is not looked at: nothing tells any more where a section ends. */
  #giveUp(tag: MustacheTag, why: string): false {
    if (!this.#isOver) this.#refuse(tag, why);
    this.#isOver = true;
    this.#at = this.#nodes.length;
    return false;
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
