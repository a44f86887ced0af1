import { parseSync } from 'vite';

/**
 * The titles of the tests of a file that every `npm test` runs: those declared with what `vitest` itself exports as `it`
 * or `test`, under whatever name. Those of `itInTurn` and `itInSoak`, and of a suite that has its turn or runs
 * in a soak alone, are not among them.
 */
export function alwaysIn(name: string, code: string): ReadonlySet<string> {
  const { program, errors } = parseSync(name, code);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const own = localNames(program.body as unknown as readonly Node[]);
  const titles = new Set<string>();
  const open: Node[] = [program as unknown as Node];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'CallExpression') {
      const called = calledName(node.callee);
      if (called === 'describeInSoak' || called === 'describeInTurn') continue;
      if (own.has(called)) {
        const title = textOf(listOf(node.arguments)[0]);
        if (title !== undefined) titles.add(title);
        continue;
      }
    }
    open.push(...Object.values(node).flatMap((value) => listOf(value)));
  }
  return titles;
}

type Node = Readonly<Record<string, unknown>>;

/** What the file calls the `it` and the `test` of vitest. */
function localNames(body: readonly Node[]): ReadonlySet<string> {
  const specifiers = body
    .filter(({ type, source }) => type === 'ImportDeclaration' && nodeOf(source)?.value === 'vitest')
    .flatMap(({ specifiers }) => listOf(specifiers));
  const names = specifiers.map(({ imported, local }) => [nodeOf(imported)?.name, nodeOf(local)?.name]);
  return new Set(names.filter(([from]) => from === 'it' || from === 'test').map(([, to]) => String(to)));
}

/** `it` of `it(…)`, `it.each(…)(…)` and `it.skipIf(…)(…)`. */
function calledName(callee: unknown): string {
  const node = nodeOf(callee);
  if (node?.type === 'Identifier') return String(node.name);
  return node === undefined ? '' : calledName(node.object ?? node.callee ?? node.tag);
}

/** A text without what is put into it. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  return listOf(node.quasis)
    .map(({ value }) => String(nodeOf(value)?.cooked ?? ''))
    .join('');
}

const nodeOf = (value: unknown): Node | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : undefined;

const listOf = (value: unknown): readonly Node[] =>
  (Array.isArray(value) ? value : [value]).map(nodeOf).filter((node) => node !== undefined);
