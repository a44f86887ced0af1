import fc from 'fast-check';

/** Names that every engine takes. */
export const coreName = fc.constantFrom('a', 'b', 'name', 'q', 'tone', 'user_name', 'x1');

/** Values that try to be more than text. Characters that nobody sees are shown by the gates, so none are here. */
export const value = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'aZ09 .:;-_{}[]()<>|\\/$%&#@!?*~^="\'`äßñ中文字한글😀🚀'),
    maxLength: 12,
  }),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '\r\n',
    '{{x}}',
    '{a}',
    '}}',
    '{%',
    '<b>&amp;',
    '$&',
    '$1',
    '\\',
    'é',
    '😀',
    '@@@',
  ),
);

const char = fc.constantFrom(...'abc XYZ.,;:!?\n\t-_*/\\{}$@~^=|"\'<>&#%éß😀`', '\r\n', '\n\n', '  ');

/** Text between tags that no engine reads as more than text. */
export const coreText = fc
  .array(char, { maxLength: 14 })
  .map((chars) => chars.join(''))
  .map((text) => text.replace(/\{\{|\{%|\{#|#\}|\}\}/g, ' ').replace(/[{\\}]+$|^[{}]+/g, ''));

/** A template as texts and names. */
export type Piece = string | { readonly name: string };

/** A template of the portable core that is not white space alone. */
export const corePieces = fc
  .array(
    fc.oneof(
      coreText,
      coreName.map((name) => ({ name })),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces): readonly Piece[] => ['T', ...pieces, '.']);

export const printed = (pieces: readonly Piece[], print: (name: string) => string): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : print(piece.name))).join('');

export const values = fc.record({
  a: value,
  b: value,
  name: value,
  q: value,
  tone: value,
  user_name: value,
  x1: value,
});

/** Templates of anything that mustache, f-strings and Handlebars have a meaning for. */
export const wildTemplate = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: char },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          '{{a}}',
          '{{ a }}',
          '{{{a}}}',
          '{{&a}}',
          '{{a.b}}',
          '{{user name}}',
          '{{größe}}',
          '{{! note }}',
          '{{!}}',
          '{{#a}}x{{/a}}',
          '{{^a}}y{{/a}}',
          '{{> p}}',
          '{{=<% %>=}}',
          '{{',
          '}}',
          '}}}',
          '{{{',
          '{a}',
          '{ a }',
          '{a.b}',
          '{',
          '}',
          '\\{{a}}',
          '\\\\{{a}}',
          '{{toString}}',
          '{{constructor}}',
          '{{"k": 1}}',
          '{{}}',
          '{{.}}',
          '{{#if a}}x{{/if}}',
          '{{~a~}}',
          '{{!-- b --}}',
          '{{role "system"}}',
          '{{history}}',
          '{{json a}}',
          '{{@root.a}}',
          '{{../a}}',
          '{{__proto__}}',
          '{{1a}}',
          '{{_a}}',
          '{{\na\n}}',
          '{{media url=a}}',
          '\n',
          ' ',
          '\r\n',
        ),
      },
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''));
