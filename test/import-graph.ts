import { dirname, posix } from 'node:path';

/** Files and the files they import, both by path from the top of the checkout. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The file of a relative import: sources say `.js` for a sibling whose source is `.ts`. */
export const importedFile = (from: string, specifier: string): string =>
  posix.join(dirname(from), specifier).replace(/\.js$/, '.ts');

/** The first cycle as a path that ends where it began, or undefined. */
export function findCycle(graph: ImportGraph): readonly string[] | undefined {
  const done = new Set<string>();
  const search = (file: string, path: readonly string[]): readonly string[] | undefined => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = search(next, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = search(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
