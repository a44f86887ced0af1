import type { SlotTarget } from './program.js';
import { ExecFailure } from './state.js';

/** The variables that execution has at a point of a template. */
export interface VariableScope {
  /** A slot for `name`, seen from here on. */
  declare(name: string): number;
  find(name: string): SlotTarget;
  /** Runs with a scope of its own inside this one. */
  inside<Result>(run: () => Result): Result;
  /** Runs what may be skipped; answers with the slots that it declares. */
  maybe(run: () => void): readonly number[];
  /** How many slots there are. */
  size(): number;
}

/** Declarations that may be skipped, in one template. Each use of such a name looks at all of them. */
const MAX_UNCERTAIN = 50;

export function newScope(): VariableScope {
  const known: { name: string; slot: number; isCertain: boolean }[] = [
    { name: '$', slot: 0, isCertain: true },
  ];
  /** Where each name stands in `known`, so that finding one does not search. */
  const places = new Map<string, number[]>([['$', [0]]]);
  let slots = 1;
  let isCertain = true;
  let uncertain = 0;

  const leave = (mark: number): void => {
    for (const { name } of known.splice(mark)) places.get(name)?.pop();
  };

  return {
    declare(name) {
      if (!isCertain && ++uncertain > MAX_UNCERTAIN) {
        throw new ExecFailure(`more than ${MAX_UNCERTAIN} declarations that may be skipped`, -1, true);
      }
      const slot = slots++;
      const own = places.get(name);
      if (own) own.push(known.length);
      else places.set(name, [known.length]);
      known.push({ name, slot, isCertain });
      return slot;
    },
    find(name) {
      const found: number[] = [];
      let isFound = false;
      const own = places.get(name) ?? [];
      for (let at = own.length - 1; at >= 0; at--) {
        const variable = known[own[at] as number];
        if (!variable) continue;
        found.push(variable.slot);
        isFound = variable.isCertain;
        if (isFound) break;
      }
      return { name, slots: found, isCertain: isFound };
    },
    inside(run) {
      const mark = known.length;
      const result = run();
      leave(mark);
      return result;
    },
    maybe(run) {
      const mark = known.length;
      const before = isCertain;
      isCertain = false;
      run();
      isCertain = before;
      return known.slice(mark).map(({ slot }) => slot);
    },
    size: () => slots,
  };
}
