import { ATTACKS } from './attacks.js';
import type { InjectionSuite } from './contract.js';
import { GOALS } from './goals.js';
import { TASKS } from './tasks.js';

/** The suite that comes with Cuebook. */
export const BUILT_IN_SUITE: InjectionSuite = {
  name: 'built-in',
  tasks: TASKS,
  goals: GOALS,
  attacks: ATTACKS,
};
