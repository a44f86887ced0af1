import { type Mutant, rows } from './rows.js';

/** The guards of `packages/resident`. */
export const RESIDENT_MUTANTS: readonly Mutant[] = [
  ...rows('packages/resident', 'src/life/life.test.ts', {
    'resident.create-once': 'never writes over what is there, though it did not see it',
    'resident.one-retry':
      'asks once more after an answer that breaks its contract, then refuses it and asks no more that day',
  }),
  ...rows('packages/resident', 'src/life/bounds.test.ts', {
    'resident.inactive':
      'that never had a valid bundle stays inactive and silent: no model, no heartbeat, no object, and it says so',
  }),
  ...rows('packages/resident', 'src/compose.test.ts', {
    'resident.target': 'never takes a view from the log, and none of another agent than the one it is for',
  }),
];
