import type { RecordedRequest } from './request.js';
import type { ScriptedStep } from './step.js';

/** One script and what came for it. A lane for each agent keeps them apart. */
export interface Lane {
  /** Every request, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Steps that no request has taken yet, those of `times` counted once each. */
  readonly left: number;
  /** Resolves when this many requests have come in all. */
  received(count: number): Promise<void>;
}

export interface OpenLane extends Lane {
  record(request: RecordedRequest): void;
  add(steps: readonly ScriptedStep[]): void;
  /** The next step; undefined when the script is at its end. */
  take(): ScriptedStep | undefined;
}

export function createLane(): OpenLane {
  const requests: RecordedRequest[] = [];
  const steps: ScriptedStep[] = [];
  let waiting: { readonly count: number; readonly wake: () => void }[] = [];
  let taken = 0;

  return {
    requests,
    get left() {
      return steps.reduce((sum, step) => sum + timesOf(step), 0) - taken;
    },
    received: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((wake) => {
            waiting.push({ count, wake });
          }),
    record(request) {
      requests.push(request);
      for (const { count, wake } of waiting) if (count <= requests.length) wake();
      waiting = waiting.filter(({ count }) => count > requests.length);
    },
    add: (more) => {
      steps.push(...more);
    },
    take() {
      const step = steps[0];
      if (step === undefined) return undefined;
      taken += 1;
      if (taken >= timesOf(step)) {
        steps.shift();
        taken = 0;
      }
      return step;
    },
  };
}

const timesOf = (step: ScriptedStep): number => (typeof step === 'function' ? 1 : (step.times ?? 1));
