/** An expression of a template that import made. */
export type GoExpression =
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'item' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly GoExpression[] };

/** A node of a template that import made. */
export type GoNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly value: GoExpression }
  | {
      readonly kind: 'if';
      readonly condition: GoExpression;
      readonly body: readonly GoNode[];
      readonly otherwise: readonly GoNode[] | undefined;
    }
  | {
      readonly kind: 'range';
      /** The variable of the item, where it has one. */
      readonly item: string | undefined;
      readonly of: GoExpression;
      readonly body: readonly GoNode[];
      readonly otherwise: readonly GoNode[] | undefined;
    };

/** Reads a template in the forms that import writes; undefined for any other, which a person wrote. */
export function readGo(template: string): readonly GoNode[] | undefined {
  const tokens = scan(template);
  if (tokens === undefined) return undefined;
  const reader = new Reader(tokens);
  const nodes = reader.body(0);
  return reader.isWhole && reader.isDone ? nodes : undefined;
}

/** Nodes with texts that touch put together and empty ones left out. */
export const mergeNodes = (nodes: readonly GoNode[]): readonly GoNode[] =>
  nodes.reduce<GoNode[]>((all, node) => {
    const last = all.at(-1);
    if (node.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + node.text };
    else if (node.kind !== 'text' || node.text !== '') all.push(node);
    return all;
  }, []);

/** What a template names: all its inputs, those that it may print, those whose value it looks into, and its texts. */
export interface GoFacts {
  readonly inputs: ReadonlySet<string>;
  readonly printed: ReadonlySet<string>;
  readonly json: ReadonlySet<string>;
  readonly texts: readonly string[];
}

export function factsOfGo(nodes: readonly GoNode[]): GoFacts {
  const inputs = new Set<string>();
  const printed = new Set<string>();
  const json = new Set<string>();
  const texts: string[] = [];
  const look = (value: GoExpression): void => {
    for (const name of namesIn(value)) {
      inputs.add(name);
      json.add(name);
    }
  };
  const walk = (node: GoNode, loops: readonly string[]): void => {
    if (node.kind === 'text') texts.push(node.text);
    else if (node.kind === 'print') {
      // An item, or a variable of a loop, comes from what is looped over.
      const names = namesIn(node.value);
      for (const name of node.value.kind === 'input' ? names : [...names, ...loops]) printed.add(name);
      if (node.value.kind === 'input') inputs.add(node.value.name);
      else look(node.value);
    } else {
      const subject = node.kind === 'if' ? node.condition : node.of;
      look(subject);
      const within = node.kind === 'if' ? loops : [...loops, ...namesIn(subject)];
      for (const inner of node.body) walk(inner, within);
      for (const inner of node.otherwise ?? []) walk(inner, within);
    }
  };
  for (const node of nodes) walk(node, []);
  return { inputs, printed, json, texts };
}

const namesIn = (value: GoExpression): readonly string[] =>
  value.kind === 'input' ? [value.name] : value.kind === 'call' ? value.args.flatMap(namesIn) : [];

/** What a template names, where it is one that import writes. */
export function templateFacts(template: string): GoFacts | undefined {
  const nodes = readGo(template);
  return nodes === undefined ? undefined : factsOfGo(nodes);
}

type Token = { readonly kind: 'text' | 'action'; readonly words: string };

const ACTION = /\{\{((?:"(?:[^"\\\n]|\\.)*"|[^"`}]|\}(?!\}))*)\}\}/y;

function scan(template: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    if (open !== at)
      tokens.push({ kind: 'text', words: template.slice(at, open < 0 ? template.length : open) });
    if (open < 0) break;
    ACTION.lastIndex = open;
    const words = ACTION.exec(template)?.[1];
    // Actions that trim what is around them are never written by import.
    if (words === undefined || /^-\s|\s-$/.test(words)) return undefined;
    tokens.push({ kind: 'action', words: words.trim() });
    at = ACTION.lastIndex;
  }
  return tokens;
}

/** Blocks that nest deeper are refused when they are read again. */
const MAX_DEPTH = 40;

class Reader {
  isWhole = true;
  #at = 0;
  #stop: string | undefined;
  #loops = 0;
  readonly #lists = new Map<string, GoExpression>();
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isDone(): boolean {
    return this.#at === this.#tokens.length && this.#stop === undefined;
  }

  /** Nodes up to an `else` or `end`, which `#stop` then is. */
  body(depth: number): readonly GoNode[] {
    const nodes: GoNode[] = [];
    this.#stop = undefined;
    if (depth > MAX_DEPTH) this.isWhole = false;
    while (this.isWhole && this.#at < this.#tokens.length) {
      const { kind, words } = this.#tokens[this.#at] as Token;
      this.#at += 1;
      if (kind === 'text') nodes.push({ kind: 'text', text: words });
      else if (/^(?:else|end)\b/.test(words)) {
        this.#stop = words;
        break;
      } else nodes.push(...this.#action(words, depth));
    }
    return mergeNodes(nodes);
  }

  #action(words: string, depth: number): readonly GoNode[] {
    const list = /^(\$items\d+) := (.*)$/s.exec(words);
    if (list !== null) {
      this.#lists.set(list[1] ?? '', this.#read(list[2] ?? ''));
      return [];
    }
    if (words.startsWith('if ')) return [this.#condition(words.slice(3), depth)];
    if (words.startsWith('range ')) return [this.#loop(words.slice(6), depth)];
    const value = this.#read(words);
    if (value.kind === 'literal') return [{ kind: 'text', text: String(value.value) }];
    return [
      {
        kind: 'print',
        value: value.kind === 'call' && value.name === 'text' ? (value.args[0] ?? value) : value,
      },
    ];
  }

  #condition(words: string, depth: number): GoNode {
    const condition = this.#read(words);
    const body = this.body(depth + 1);
    const stop = this.#stop ?? '';
    if (stop.startsWith('else if ')) {
      const inner = this.#condition(stop.slice(8), depth + 1);
      return { kind: 'if', condition, body, otherwise: [inner] };
    }
    const otherwise = stop === 'else' ? this.body(depth + 1) : undefined;
    this.#close();
    return { kind: 'if', condition, body, otherwise };
  }

  #loop(words: string, depth: number): GoNode {
    const [, , item, rest = ''] = /^(?:(?:(\$\w+), )?(\$\w+) := )?(.*)$/s.exec(words) ?? [];
    const named = this.#read(rest);
    const of = named.kind === 'variable' ? (this.#lists.get(named.name) ?? named) : named;
    this.#loops += 1;
    const body = this.body(depth + 1);
    this.#loops -= 1;
    const otherwise = this.#stop === 'else' ? this.body(depth + 1) : undefined;
    this.#close();
    return { kind: 'range', item: item?.slice(1), of, body, otherwise };
  }

  #close(): void {
    if (this.#stop !== 'end') this.isWhole = false;
    this.#stop = undefined;
  }

  #read(words: string): GoExpression {
    const found = readExpression(words, this.#loops > 0);
    if (found === undefined) this.isWhole = false;
    return found ?? { kind: 'item' };
  }
}

const WORD = /\s*(\(|\)|"(?:[^"\\]|\\.)*"|\$\.?[A-Za-z]\w*|\.(?:[A-Za-z]\w*)?|-?\d+|[A-Za-z]\w*)/y;

function readExpression(words: string, inLoop: boolean): GoExpression | undefined {
  const tokens: string[] = [];
  let from = 0;
  while (from < words.length) {
    WORD.lastIndex = from;
    const found = WORD.exec(words)?.[1];
    if (found === undefined) return undefined;
    tokens.push(found);
    from = WORD.lastIndex;
  }
  let at = 0;
  const atom = (): GoExpression | undefined => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '(') {
      const inner = call();
      at += 1;
      return tokens[at - 1] === ')' ? inner : undefined;
    }
    if (token.startsWith('"')) return { kind: 'literal', value: JSON.parse(token) as string };
    if (/^-?\d/.test(token)) return { kind: 'literal', value: Number(token) };
    if (token === '.') return inLoop ? { kind: 'item' } : undefined;
    if (token.startsWith('$.')) return { kind: 'input', name: token.slice(2) };
    // A field of the item has another form, so this was written by a person.
    if (token.startsWith('.')) return inLoop ? undefined : { kind: 'input', name: token.slice(1) };
    return token.startsWith('$') ? { kind: 'variable', name: token } : undefined;
  };
  const call = (): GoExpression | undefined => {
    const name = tokens[at] ?? '';
    if (!/^[A-Za-z]/.test(name)) return atom();
    at += 1;
    const args: GoExpression[] = [];
    while (at < tokens.length && tokens[at] !== ')') {
      const arg = atom();
      if (arg === undefined) return undefined;
      args.push(arg);
    }
    return { kind: 'call', name, args };
  };
  const read = call();
  return at === tokens.length ? read : undefined;
}
