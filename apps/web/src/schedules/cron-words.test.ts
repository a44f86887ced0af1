import { expect, it } from 'vitest';
import { cronWords } from './cron-words.js';

it.each([
  ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
  ['5 4 * * *', 'every day at 04:05'],
  ['30 * * * *', 'every hour at :30'],
  ['0 7 * * 7', 'every Sunday at 07:00'],
  ['0 7 1 * *', 'on day 1 of each month at 07:00'],
  ['*/5 * * * *', ''],
  ['0 7 1 * 1', ''],
  ['0 7 1 2 *', ''],
  ['0 0 9 * * *', ''],
  ['', ''],
])('%s', (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});
