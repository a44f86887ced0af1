import { type Diagnostic, describeIncludeError, type Place } from '@cuebook/prompt';
import type { OpenPart } from './part.js';
import type { SheetSource } from './source.js';
import { type IncludeAt, includesIn } from './template/parse.js';

/** Each include that leads back to a text it stands in, with its path. Linear in all includes. */
export function findCycles({ texts }: Pick<SheetSource, 'texts'>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const finished = new Set<string>();
  for (const root of texts.keys()) {
    if (finished.has(root)) continue;
    const stack: Frame[] = [{ name: root, includes: includesOf(texts.get(root)), next: 0 }];
    const open = new Set([root]);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const include = frame.includes[frame.next];
      frame.next += 1;
      if (include === undefined) {
        stack.pop();
        open.delete(frame.name);
        finished.add(frame.name);
        continue;
      }
      const { include: name, at } = include;
      if (open.has(name)) found.push(cycle(at, [...stack.map((each) => each.name), name]));
      if (open.has(name) || finished.has(name)) continue;
      open.add(name);
      stack.push({ name, includes: includesOf(texts.get(name)), next: 0 });
    }
  }
  return found;
}

interface Frame {
  readonly name: string;
  readonly includes: readonly IncludeAt[];
  next: number;
}

const includesOf = (parts: readonly OpenPart[] = []): readonly IncludeAt[] => parts.flatMap(includesIn);

function cycle(at: Place, names: readonly string[]): Diagnostic {
  const path = names.slice(names.indexOf(names.at(-1) as string));
  return {
    code: 'E_INCLUDE_CYCLE',
    severity: 'error',
    message: describeIncludeError({ code: 'E_INCLUDE_CYCLE', at, path }),
    file: at.ref,
    ...(at.line === undefined ? {} : { line: at.line }),
    ...(at.column === undefined ? {} : { column: at.column }),
  };
}
