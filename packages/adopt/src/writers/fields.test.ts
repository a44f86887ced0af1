import { readYaml } from '@cuebook/yaml';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { printFields } from './fields.js';

it('any text is read back by YAML as it was, with quotes or without', () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aZ09 .,()/*_-:#"\'\\[]{}&!|>%@`~\t\n?=é') }),
    fc.constantFrom(
      'true',
      'No',
      'null',
      'on',
      '~',
      'y',
      'a: b',
      'a #b',
      '- a',
      '1e3',
      '0x1',
      'a ',
      'a - b',
      '---',
    ),
    fc.constantFrom(
      'Read, Grep',
      'Bash(git *)',
      'Reviews a change before it is merged.',
      'NaN',
      'Infinity',
      '12:30',
    ),
  );
  fc.assert(
    fc.property(word, (text) => {
      const printed = printFields([['key', text]], '');
      const yaml = readYaml('x', printed.slice(4, -4), 'E_SHEET');
      expect(yaml.ok && yaml.value.value).toEqual({ key: text });
    }),
    runs(2000, 20_000),
  );
});

it('what people write without quotes stays so', () => {
  const fields = [
    ['name', 'reviewer'],
    ['description', 'Reviews a change before it is merged.'],
    ['tools', 'Read, Grep, Bash(git *)'],
  ] as const;
  expect(printFields(fields, 'Hi')).toBe(
    '---\nname: reviewer\ndescription: Reviews a change before it is merged.\ntools: Read, Grep, Bash(git *)\n---\nHi',
  );
});
