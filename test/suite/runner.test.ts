import { beforeAll, describe, expect, it } from 'vitest';
import { hasWork } from './runner.js';

const test = (mode: string) => ({ type: 'test', mode });
const suite = (...tasks: readonly object[]) => ({ type: 'suite', mode: 'run', tasks }) as never;

const prepared: string[] = [];

describe('a suite without a test', () => {
  beforeAll(() => void prepared.push('none'));
});

describe('a suite whose tests are below it', () => {
  beforeAll(() => void prepared.push('outer'));
  describe('and one more', () => {
    beforeAll(() => void prepared.push('inner'));
    it('is prepared', () => {
      expect(prepared).toContain('inner');
    });
  });
});

it('prepares what has a test, and nothing else', () => {
  expect(prepared).toEqual(['outer', 'inner']);
});

it.each([
  [true, suite(test('run'))],
  [true, suite(test('queued'))],
  [true, suite(suite(), suite(test('skip'), test('run')))],
  [false, suite()],
  [false, suite(suite(suite()))],
  [false, suite(test('skip'), suite(test('todo')))],
])('has work %s in %j', (expected, given) => {
  expect(hasWork(given)).toBe(expected);
});
