import { quote } from '../../diagnostic.js';
import { type GoPieces, goCall, goPrint, goText } from '../go.js';
import { sectionRemark } from '../section-remark.js';
import { mergeTokens, type ReadTemplate, type TemplateRemark, type TemplateToken } from '../tokens.js';
import { isPlainVariable, type NunjucksScope, ROOT_SCOPE, readCondition, readValue } from './expression.js';
import { type NunjucksNode, type NunjucksTag, scanNunjucks } from './scan.js';

/**
 * Nunjucks as promptfoo runs it: texts, variables, comments, `if` and `for`. Filters, calls and all other blocks are
 * refused.
 */
export function readNunjucks(template: string): ReadTemplate {
  const { nodes, remarks } = scanNunjucks(template);
  if (nodes === undefined) return { remarks };
  const reading = new Reading(nodes);
  const tokens = reading.top();
  if (reading.problems.length > 0) return { remarks: reading.problems };
  return { tokens: mergeTokens(tokens), remarks: [...remarks, ...reading.remarks] };
}

/** Blocks that nest deeper are refused: nobody reads such a template. */
const MAX_DEPTH = 20;

class Reading {
  readonly remarks: TemplateRemark[] = [];
  readonly problems: TemplateRemark[] = [];
  #at = 0;
  readonly #nodes: readonly NunjucksNode[];

  constructor(nodes: readonly NunjucksNode[]) {
    this.#nodes = nodes;
  }

  top(): readonly TemplateToken[] {
    const tokens: TemplateToken[] = [];
    for (let node = this.#next(); node !== undefined; node = this.#next()) {
      if (node.kind === 'text') tokens.push(node);
      else if (node.kind === 'block') {
        const pieces = this.#block(node, ROOT_SCOPE);
        const { start, written } = node;
        const end = this.#nodes[this.#at - 1]?.start ?? start;
        tokens.push({ kind: 'section', pieces, start, end });
        this.remarks.push(sectionRemark(written, pieces, start));
      } else tokens.push(this.#variable(node));
    }
    return tokens;
  }

  #next(): NunjucksNode | undefined {
    this.#at += 1;
    return this.#nodes[this.#at - 1];
  }

  #variable(tag: NunjucksTag): TemplateToken {
    const { words, start, end } = tag;
    return isPlainVariable(words)
      ? { kind: 'variable', name: words, start, end }
      : { kind: 'section', pieces: this.#print(tag, ROOT_SCOPE), start, end };
  }

  #print(tag: NunjucksTag, scope: NunjucksScope): GoPieces {
    const value = readValue(tag.words, scope, true);
    if (value === undefined)
      this.#refuse(tag, 'W_IMPORT_HELPER', 'is an expression, or a word of the template language');
    if (value?.input !== undefined) return [{ show: value.input, dot: scope.depth === 0 ? '.' : '$.' }];
    return value?.isFlag === true ? ['{{', ...value.pieces, '}}'] : goPrint(value?.pieces ?? []);
  }

  /** A block whose opening tag was read, to its end. */
  #block(tag: NunjucksTag, scope: NunjucksScope): GoPieces {
    const [name = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(tag.words)?.slice(1) ?? [];
    if (scope.nesting >= MAX_DEPTH) return this.#giveUp(tag, 'nests too deep');
    const inner = { ...scope, nesting: scope.nesting + 1 };
    if (name === 'if') return this.#condition(tag, rest, inner);
    return name === 'for'
      ? this.#loop(tag, rest, inner)
      : this.#giveUp(tag, 'has no equal in the template of a sheet');
  }

  #condition(tag: NunjucksTag, words: string, scope: NunjucksScope): GoPieces {
    if (scope.nesting > MAX_DEPTH) return this.#giveUp(tag, 'is one of too many branches');
    const condition = readCondition(words, scope);
    if (condition === undefined)
      this.#refuse(tag, 'W_IMPORT_SECTION', 'has no equal in the template of a sheet');
    const pieces: GoPieces = ['{{if ', ...(condition ?? []), '}}', ...this.#body(scope)];
    const stop = this.#stop;
    const [name = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(stop?.words ?? '')?.slice(1) ?? [];
    if (stop !== undefined && (name === 'elif' || name === 'elseif'))
      return [
        ...pieces,
        '{{else if ',
        ...this.#condition(stop, rest, { ...scope, nesting: scope.nesting + 1 }).slice(1),
      ];
    const otherwise = stop?.words === 'else' ? ['{{else}}', ...this.#body(scope)] : [];
    if (this.#stop?.words !== 'endif') return this.#giveUp(tag, 'is not closed by its own end');
    return [...pieces, ...otherwise, '{{end}}'];
  }

  #loop(tag: NunjucksTag, words: string, scope: NunjucksScope): GoPieces {
    const [name = '', of = ''] = /^([A-Za-z_]\w*)\s+in\s+(\S+)$/.exec(words)?.slice(1) ?? [];
    const value = isPlainVariable(name) ? readValue(of, scope, true) : undefined;
    if (value === undefined) return this.#giveUp(tag, 'has no equal in the template of a sheet');
    const depth = scope.depth + 1;
    const asked = { index: false, last: false };
    const body = this.#body({ ...scope, depth, asked, variables: new Set([...scope.variables, name]) });
    // Inside of another loop the library looks at the length that an earlier round left behind.
    if (this.#stop?.words === 'else' && scope.depth > 0)
      this.#refuse(this.#stop, 'W_IMPORT_SECTION', 'is the else of a loop inside of a loop');
    const otherwise = this.#stop?.words === 'else' ? ['{{else}}', ...this.#body(scope)] : [];
    if (this.#stop?.words !== 'endfor') return this.#giveUp(tag, 'is not closed by its own end');
    const variables = asked.index ? `$index${depth}, $${name}` : `$${name}`;
    const list = goCall('list', [value.pieces]);
    const head: GoPieces = asked.last
      ? [`{{$items${depth} := `, ...list, `}}{{range ${variables} := $items${depth}}}`]
      : [`{{range ${variables} := `, ...list, '}}'];
    return [...head, ...body, ...otherwise, '{{end}}'];
  }

  #stop: NunjucksTag | undefined;

  /** What stands up to the tag that ends it, which `#stop` then is. */
  #body(scope: NunjucksScope): GoPieces {
    const body: GoPieces[] = [];
    this.#stop = undefined;
    for (let node = this.#next(); node !== undefined; node = this.#next()) {
      if (node.kind === 'block' && /^(?:el(?:se|if|seif)|endif|endfor)\b/.test(node.words)) {
        this.#stop = node;
        break;
      }
      if (node.kind === 'text') body.push(node.text === '' ? [] : [goText(node.text)]);
      else body.push(node.kind === 'block' ? this.#block(node, scope) : this.#print(node, scope));
    }
    return body.flat();
  }

  #giveUp(tag: NunjucksTag, why: string): [] {
    this.#refuse(tag, 'W_IMPORT_SECTION', why);
    this.#at = this.#nodes.length;
    return [];
  }

  #refuse({ written, start }: NunjucksTag, code: TemplateRemark['code'], why: string): void {
    const message = `${quote(written)} ${why}; the prompt was not imported`;
    this.problems.push({ code, severity: 'warning', start, message });
  }
}
