import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openBehindAt } from './live-behind.js';
import { createLiveWords } from './live-words.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const word = fc
  .stringMatching(/^[a-z]{2,5}[A-Z][0-9]{2}[a-zA-Z0-9]{6,12}$/)
  .filter((each) => new Set(each).size > 8);
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });

/** Texts in which what gives a secret away stands behind it; `%` is the secret. */
const BEHIND: readonly string[] = [
  'echo % | sudo -S apt update',
  'printf %s % | docker login -u a --password-stdin',
  'echo "%" | docker login -u a --password-stdin',
  "printf '%%s' '%' | gh auth login --with-token".replace('%%', '%'),
  'echo -n "%" | gcloud secrets create pw --data-file=- --auth',
  "printf '%' | pass insert -e mail",
  "echo 'ada:%' | chpasswd",
  'echo % | secret-tool store --label=x a b',
  'Write-Output % | vercel env add DB_PASSWORD',
  '{"value": "%", "name": "DB_PASSWORD"}',
  '- value: "%"\n  name: DB_PASSWORD\n',
  '<value>%</value><name>db_password</name>',
  "{ value => '%', key => 'api_secret' }",
];

describe('a secret that is given away by what follows', () => {
  it.each(BEHIND)('is told to nobody who watches: %j', (text) => {
    fc.assert(
      fc.property(word, sizes, fc.constantFrom('', 'Some words.\n'), (secret, cuts, before) => {
        const at = text.lastIndexOf('%');
        const whole = `${before}${text.slice(0, at)}${secret}${text.slice(at + 1)}\nand more.\n`;
        expect(redactor.redactText(whole).text).not.toContain(secret);
        const words = createLiveWords(redactor);
        let told = '';
        let from = 0;
        for (const size of cuts) {
          told += words.feed(whole.slice(from, from + size));
          from += size;
        }
        for (const char of whole.slice(from)) told += words.feed(char);
        told += words.flush();
        expect(told).not.toContain(secret.slice(0, 8));
      }),
      runs(20, 500),
    );
  });

  it.each([
    'echo one two',
    'we print the list',
    'print(x) and more',
    'echo "a" && b',
    'a value of 7',
    'value: 12, other: 3',
    '{"value": "abc1234"}',
    'value: abc1234\n\nnext',
  ])('holds nothing else: %j', (text) => {
    expect(openBehindAt(text)).toBe(text.length);
  });

  it('holds nothing for longer than its line, its object or some hundred characters', () => {
    const more = fc.string({ unit: fc.constantFrom(...'ab |:"-'), minLength: 420, maxLength: 600 });
    fc.assert(
      fc.property(
        fc.constantFrom('echo aB3dEf | ', 'value: aB3dEfGh ', '"value": "aB3dEfGh", '),
        more,
        (begin, rest) => {
          expect(openBehindAt(`${begin}${rest}x`)).toBeGreaterThan(0);
        },
      ),
      runs(100, 5_000),
    );
  });
});
