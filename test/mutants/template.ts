import { type Mutant, rows } from './rows.js';

/** The guards of `packages/template`. */
export const TEMPLATE_MUTANTS: readonly Mutant[] = [
  ...rows('packages/template', 'test/limits.test.ts', {
    'limit.output': 'output past its bound ends the render',
    'limit.text': 'a text that doubles is stopped before the memory is full',
    'limit.steps': 'rounds and calls are steps',
    'limit.depth': 'a lower bound on depth is our own error',
    'limit.time': 'time is that of the clock handed in',
    'limit.nesting': 'control structures nest up to a bound, by closures',
  }),
  ...rows('packages/template', 'src/template.test.ts', {
    'map.own-key': 'a key is the own key of an object',
  }),
  ...rows('packages/template', 'src/value/data.test.ts', {
    'data.refused': 'a Promise',
    'data.cycle': 'cyclic data is not printed',
  }),
];
