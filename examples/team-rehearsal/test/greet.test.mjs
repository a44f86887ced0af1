import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../greet.mjs';

test('greets in English when nothing else is known', () => {
  assert.equal(greet('xx'), 'Hello, visitor.');
});
