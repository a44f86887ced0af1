import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import type { Persona } from '../card/schema.js';
import { findsImpersonation } from './impersonation.js';

interface Labelled {
  readonly names: readonly string[];
  readonly claims: readonly string[];
  readonly others: readonly string[];
}

const read = <Value>(file: string): Value =>
  JSON.parse(readFileSync(new URL(`../../test/${file}`, import.meta.url), 'utf8')) as Value;
const LABELLED = read<Readonly<Record<string, Labelled>>>('impersonation.json');

const personaOf = (reference: string): Persona =>
  ({
    inspiration: { kind: 'real_person', reference },
    voice: { tone_tags: [], writing_rules: [], catchphrases: [] },
    no_impersonation: true,
  }) as Persona;

/** Every sentence with every name of its language. */
const said = (kind: 'claims' | 'others') =>
  Object.entries(LABELLED).flatMap(([language, { names, [kind]: sentences }]) =>
    names.flatMap((name) => sentences.map((sentence) => ({ language, name, text: put(sentence, name) }))),
  );

function put(sentence: string, name: string): string {
  const words = name.split(' ');
  return sentence
    .replaceAll('{}', name)
    .replaceAll('{last}', words.at(-1) ?? '')
    .replaceAll('{first}', words[0] ?? '')
    .replaceAll('{initial}', name[0] ?? '');
}

/** Texts as agents write them, each with its name. */
const TEXTS =
  read<Readonly<Record<'claims' | 'others', readonly (readonly [name: string, text: string])[]>>>(
    'impersonation-texts.json',
  );
const all = (kind: 'claims' | 'others') => [
  ...said(kind),
  ...TEXTS[kind].map(([name, text]) => ({ language: 'texts', name, text })),
];

const CLAIMS = all('claims');
const OTHERS = all('others');

/** Ways to write a name so that a plain search does not find it. */
const DISGUISES: Readonly<Record<string, (name: string) => string>> = {
  'zero-width': (name) => [...name].join('\u200b'),
  'soft hyphens': (name) => [...name].join('\u00ad'),
  Cyrillic: (name) => name.replace(/[aceopxyACEHKMOPT]/g, (char) => CYRILLIC[char] ?? char),
  Greek: (name) => name.replace(/[oAEHIKNT]/g, (char) => GREEK[char] ?? char),
  'full width': (name) => name.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  'bold letters': (name) =>
    name.replace(/[a-z]/g, (char) => String.fromCodePoint(0x1d41a + char.charCodeAt(0) - 97)),
  accents: (name) => name.replace(/[aeiou]/g, '$&\u0301'),
  digits: (name) => name.replace(/[eao]/g, (char) => ({ e: '3', a: '4', o: '0' })[char] ?? char),
  'letters apart': (name) => [...name].join(' '),
  'dots between': (name) =>
    name
      .split(' ')
      .map((word) => [...word].join('.'))
      .join(' '),
  'no space': (name) => name.replaceAll(' ', ''),
  capitals: (name) => name.toUpperCase(),
  marks: (name) => `**${name}**`,
};
const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  A: 'А',
  C: 'С',
  E: 'Е',
  H: 'Н',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  T: 'Т',
};
const GREEK: Readonly<Record<string, string>> = {
  o: 'ο',
  A: 'Α',
  E: 'Ε',
  H: 'Η',
  I: 'Ι',
  K: 'Κ',
  N: 'Ν',
  T: 'Τ',
};

describe('the net for impersonation', () => {
  it('finds at least 95 of 100 claims of the labelled set', () => {
    const missed = CLAIMS.filter(({ name, text }) => !findsImpersonation(text, personaOf(name)));
    expect(
      missed.length / CLAIMS.length,
      JSON.stringify(
        missed.slice(0, 60).map((one) => one.text),
        null,
        1,
      ),
    ).toBeLessThan(0.05);
  });

  it('takes at most 1 of 100 other sentences for one', () => {
    const taken = OTHERS.filter(({ name, text }) => findsImpersonation(text, personaOf(name)));
    expect(
      taken.length / OTHERS.length,
      JSON.stringify(
        taken.slice(0, 60).map((one) => one.text),
        null,
        1,
      ),
    ).toBeLessThan(0.01);
  });

  it.each(Object.entries(DISGUISES))('finds the name in disguise: %s', (_name, disguise) => {
    const names = ['Rachel Carson', 'Nikola Tesla', 'Hypatia'];
    for (const name of names) {
      for (const sentence of ['I am {}.', 'As {}, I know the sea.', 'Hello, my name is {}!', '{} here.']) {
        const text = sentence.replace('{}', disguise(name));
        expect(findsImpersonation(text, personaOf(name)), text).toBe(true);
      }
      for (const sentence of ['I am not {}.', 'As {} wrote, look closely.', 'I admire {}.']) {
        const text = sentence.replace('{}', disguise(name));
        expect(findsImpersonation(text, personaOf(name)), text).toBe(false);
      }
    }
  });

  it('lets an agent say a name that is its own', () => {
    expect(findsImpersonation('I am Ada.', personaOf('Ada Lovelace'), 'Ada the second')).toBe(false);
    expect(findsImpersonation('I am Ada.', personaOf('Ada Lovelace'), 'Bo')).toBe(true);
    expect(findsImpersonation('I am Ada Lovelace.', personaOf('Ada Lovelace'), 'Ada the second')).toBe(true);
  });

  it('answers for any text and any reference, and soon', () => {
    const word = fc.constantFrom(
      'i am',
      'I,',
      'as',
      'Rachel',
      'Carson',
      'R.',
      ':',
      '|',
      '"',
      '\n',
      'the',
      '我是',
      '私は',
      '§',
      '¤',
      'call me',
      ',',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 60 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(
        text,
        fc.oneof(fc.constant('Rachel Carson'), fc.string({ unit: 'binary' })),
        (each, reference) => {
          expect(typeof findsImpersonation(each, personaOf(reference))).toBe('boolean');
        },
      ),
      runs(60, 5_000),
    );
  });

  it('costs no more than in proportion to the text', () => {
    const cost = (text: string): number => {
      const begun = process.cpuUsage();
      findsImpersonation(text, personaOf('Rachel Carson'));
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    for (const piece of [
      'Rachel Carson : ',
      'i am the , ',
      'R a c h e l ',
      'as Rachel Carson , ',
      'rrrrr',
      '我是著名的',
      'i am the great ',
    ]) {
      cost(piece.repeat(500));
      const small = Math.min(...[1, 2, 3].map(() => cost(piece.repeat(500))));
      const large = Math.min(...[1, 2, 3].map(() => cost(piece.repeat(4000))));
      expect(large / Math.max(small, 500), piece).toBeLessThan(8 * 4);
    }
  });
});
