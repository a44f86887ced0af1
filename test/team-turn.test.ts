import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './root.js';
import { linksOf, rowsOf, targetOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/runs.md');
const MOST_FILES = 20;
const MOST_CROSSINGS = 2;

/** A file on the way, and the call by which one gets there. */
interface Step {
  readonly file: string;
  readonly caller: string;
  /** `composeTurn`, or `driver.perform` for what is handed in. */
  readonly call: string;
}

const [, part = ''] = readFileSync(PAGE, 'utf8').split('## The way of a team turn');
const way: readonly Step[] = rowsOf(part).map(([file = '', caller = '', call = '']) => ({
  file: targetOf(PAGE, linksOf(file)[0] ?? ''),
  caller: caller.replace(/^(\w+)\//, 'packages/$1/src/'),
  call: call.replace(/[`(]/g, ''),
}));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const packageOf = (file: string): string => file.split('/')[1] ?? '';

/** Where somebody reads on in the other of two packages; what lies between them is in neither. */
function crossings(between: readonly [string, string]): number {
  const stops = way.map(({ file }) => packageOf(file)).filter((name) => between.includes(name));
  return stops.filter((name, at) => at > 0 && name !== stops[at - 1]).length;
}

it.each(way)('$caller gets to $file by $call', ({ file, caller, call }) => {
  const name = call.split('.').at(-1) ?? '';
  expect(textOf(caller)).toMatch(new RegExp(`(?<!\\w)${call.replace('.', '\\.')}(?:<\\w+>)?\\(`));
  expect(textOf(file)).toMatch(
    new RegExp(`(?:(?:function|const) |^ +(?:async )?|\\b)${name}(?:<[^(]*>)?[(:]`, 'm'),
  );
});

it('the way of a team turn is the way of the code, and does not grow', () => {
  const files = way.map(({ file }) => file);
  expect(new Set(files).size).toBe(files.length);
  // One gets to each file from another one on the way; the first one is called where the queue hands out work.
  const strange = way.filter(({ caller }) => !files.includes(caller)).map(({ caller }) => caller);
  expect(strange).toEqual(['packages/engine/src/loop/engine.ts']);
  expect(files.length).toBeLessThanOrEqual(MOST_FILES);
  expect(crossings(['engine', 'team'])).toBeLessThanOrEqual(MOST_CROSSINGS);
});
