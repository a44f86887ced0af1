import type fc from 'fast-check';

/**
 * Parts whose named functions answer in whatever order a scheduler plays: several processes at one store, each of whose
 * steps the others may come before or behind.
 */
export function interleaved<Parts extends object>(
  order: fc.Scheduler,
  parts: Parts,
  names: readonly (keyof Parts)[],
): Parts {
  const slow = { ...parts };
  for (const name of names) {
    const act = parts[name] as unknown as (...args: readonly unknown[]) => Promise<unknown>;
    slow[name] = order.scheduleFunction(act) as unknown as Parts[typeof name];
  }
  return slow;
}

/** The functions of a store that whatever decides on a state goes through. */
export const STORE_STEPS = ['append', 'read', 'head', 'findCommand'] as const;
