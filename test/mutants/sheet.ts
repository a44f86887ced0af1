import { type Mutant, rows } from './rows.js';

/** The guards of `packages/sheet`. */
export const SHEET_MUTANTS: readonly Mutant[] = [
  ...rows('packages/sheet', 'src/entries.test.ts', {
    'sheet.history.cut':
      'for all histories: the last messages, in order, to the byte, and never an answer without its call',
  }),
  ...rows('packages/sheet', 'src/sheet.test.ts', {
    'sheet.stranger':
      'are external whatever the sheet says of its inputs, and never stand in the system role',
  }),
  ...rows('packages/sheet', 'src/schema.test.ts', {
    'sheet.infinite': 'parameters are numbers that JSON has, at any depth',
  }),
  ...rows('packages/sheet', 'src/shape/shape.test.ts', {
    'shape.line': 'a line break is refused, or fenced where the author says so',
    'shape.length': 'too many characters is refused, or fenced where the author says so',
    'shape.hidden': 'a hidden character is refused, or fenced where the author says so',
    'shape.pattern': 'a pattern is of the whole value',
    'shape.refuse': 'a line break is refused, or fenced where the author says so',
    'shape.structure': 'structure at the start of a line is refused, or fenced where the author says so',
  }),
  ...rows('packages/sheet', 'src/template/template.test.ts', {
    'sheet.template.flow': 'what strangers wrote stands in a fence, as it is or computed',
    'sheet.template.work': 'texts that double each other through templates end',
  }),
];
