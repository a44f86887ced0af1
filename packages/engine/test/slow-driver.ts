import type { Driver, PerformContext } from '../src/effect/driver.js';
import type { EffectIntent, Outcome } from '../src/machine.js';
import { turnOver } from './bench-stand.js';

/** A driver that ends when the test says so. */
export function slowDriver() {
  const begun: { effect: EffectIntent; context: PerformContext; end: (outcome: Outcome) => void }[] = [];
  const perform: Driver['perform'] = (effect, context) =>
    new Promise((end) => {
      begun.push({ effect, context, end });
    });
  return { begun, driver: { perform, timeoutMs: 1_000 } };
}

export async function untilBegun(begun: readonly unknown[], count: number): Promise<void> {
  while (begun.length < count) await turnOver();
}
