import { fail, ok, type Result } from '@cuebook/prompt';
import type { ModelLane } from './odds/schema.js';
import { ANY_LANE, type LaneStep, type Script } from './script.js';

/** Where each lane of a script stands. Sessions of one provider share it: two in one lane take turns. */
export interface Lanes {
  /** The first of these names that has a lane, or the lane for anybody. */
  find(names: readonly string[]): Result<string, LaneError>;
  /** The model that a lane answers by, in place of steps. */
  model(lane: string): ModelLane | undefined;
  /** Takes the next step of a lane. A turn that took one before plays it again. */
  take(lane: string, turn?: string): Result<TakenStep, LaneError>;
  /** Goes on after a step of an earlier process; a lane never goes back. */
  skipPast(lane: string, index: number): void;
}

export interface TakenStep {
  readonly step: LaneStep;
  /** From 0. */
  readonly index: number;
}

export type LaneError =
  | { readonly code: 'E_SCRIPT_LANE'; readonly names: readonly string[] }
  | { readonly code: 'E_SCRIPT_END'; readonly lane: string; readonly index: number };

export function openLanes({ lanes, models = {} }: Script): Lanes {
  const next = new Map<string, number>();
  const taken = new Map<string, number>();
  return {
    find(names) {
      const found = [...names, ANY_LANE].find(
        (name) => Object.hasOwn(lanes, name) || Object.hasOwn(models, name),
      );
      return found === undefined ? fail({ code: 'E_SCRIPT_LANE', names }) : ok(found);
    },
    model: (lane) => (Object.hasOwn(models, lane) ? models[lane] : undefined),
    take(lane, turn) {
      const key = turn === undefined ? undefined : lane + turn;
      const again = key === undefined ? undefined : taken.get(key);
      const index = again ?? next.get(lane) ?? 0;
      const step = lanes[lane]?.[index];
      if (step === undefined) return fail({ code: 'E_SCRIPT_END', lane, index });
      if (again === undefined) next.set(lane, index + 1);
      if (key !== undefined) taken.set(key, index);
      return ok({ step, index });
    },
    skipPast(lane, index) {
      next.set(lane, Math.max(next.get(lane) ?? 0, index + 1));
    },
  };
}

/** One sentence: it names the lane and the step. */
export function describeLaneError(error: LaneError): string {
  if (error.code === 'E_SCRIPT_END') {
    return `Lane "${error.lane}" of the script has ${error.index} steps, and step ${error.index + 1} was asked for.`;
  }
  const names = error.names.map((name) => `"${name}"`).join(', ') || 'a session without a name';
  return `The script has no lane for ${names}, and none for "${ANY_LANE}".`;
}
