import { parseSync } from 'vite';

/** What the rules of the house need to know about one source file, read from its syntax tree. */
export interface SourceFacts {
  /** Everything it imports or re-exports from, types and lazy imports included. */
  readonly imports: readonly string[];
  /** Those of `imports` that are needed before the file itself can run: all but `import()`. */
  readonly eager: readonly string[];
  /** The modules it re-exports whole (`export * from`). */
  readonly stars: readonly string[];
  /** Text of all string literals and property keys. */
  readonly strings: readonly string[];
  /** Members named on globals and variables, such as `Math.random`; `new Date` counts when bare. */
  readonly members: readonly string[];
}

/** Reads a TypeScript or JavaScript file. Throws on a syntax error: such a file has no facts. */
export function sourceFacts(name: string, code: string): SourceFacts {
  const { program, errors } = parseSync(name, code);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const facts = {
    imports: new Set<string>(),
    eager: new Set<string>(),
    stars: [] as string[],
    strings: [] as string[],
    members: [] as string[],
  };
  visit(program, (node) => {
    const source = moduleNamed(node);
    if (source !== undefined) facts.imports.add(source);
    if (source !== undefined && node.type !== 'ImportExpression') facts.eager.add(source);
    if (node.type === 'ExportAllDeclaration' && source !== undefined) facts.stars.push(source);
    if (node.type === 'Literal' && typeof node.value === 'string') facts.strings.push(node.value);
    if (node.type === 'TemplateElement') facts.strings.push(String(asNode(node.value)?.cooked ?? ''));
    if (node.type === 'Property' && asNode(node.key)?.type === 'Identifier')
      facts.strings.push(nameOf(node.key));
    if (node.type === 'MemberExpression')
      facts.members.push(`${nameOf(node.object)}.${nameOf(node.property)}`);
    if (node.type === 'NewExpression' && asList(node.arguments).length === 0) {
      facts.members.push(`new ${nameOf(node.callee)}`);
    }
  });
  return { ...facts, imports: [...facts.imports], eager: [...facts.eager] };
}

type Node = Readonly<Record<string, unknown>>;

/** The module a node loads, for every way of loading one by a literal name. */
function moduleNamed(node: Node): string | undefined {
  const literal = (value: unknown) => {
    const text = asNode(value)?.value;
    return typeof text === 'string' ? text : undefined;
  };
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literal(node.source) ?? literal(node.argument);
    case 'CallExpression': {
      const callee = asNode(node.callee);
      const name = callee?.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
      return name === 'require' || name === 'getBuiltinModule'
        ? literal(asList(node.arguments)[0])
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Calls `found` for every node, with a stack of its own so that depth is no limit. */
function visit(root: unknown, found: (node: Node) => void): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...next);
    const node = asNode(next);
    if (!node) continue;
    if (typeof node.type === 'string') found(node);
    open.push(...Object.values(node));
  }
}

const asNode = (value: unknown): Node | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : undefined;

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const nameOf = (value: unknown): string => String(asNode(value)?.name ?? '');
