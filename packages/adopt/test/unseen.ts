import fc from 'fast-check';

// Files as people and programs leave them: what no format forbids, and no example shows.

/** Names that differ by case or by a mark alone, words of template languages, and paths. */
const oddName = fc.constantFrom(
  ...['a', 'A', 'name', 'Name', 'NAME', 'user_name', 'user-name', 'user.name', '_a', 'a_', 'a__b'],
  ...[
    'größe',
    'gro\u0308ße',
    'имя',
    'аbc',
    '名前',
    'नाम',
    'ﬁ',
    'İ',
    'ſ',
    '😀',
    'a\u200db',
    'a\u00a0b',
    '\u202ea',
  ],
  ...['1', '1a', '-1', 'a b', ' a', 'a\tb', 'a\nb', 'a/b', 'a\\b', "a'b", 'a"b', 'a|upper', 'a b="c"', '"a"'],
  ...[
    'this',
    'true',
    'null',
    'none',
    'if',
    'else',
    'end',
    'range',
    'with',
    'loop',
    'super',
    'not',
    'in',
    'each',
  ],
  ...[
    'history',
    'role',
    'json',
    'env',
    'len',
    'print',
    'text',
    'index',
    'constructor',
    '__proto__',
    'length',
  ],
  ...[
    '$a',
    '@a',
    '@index',
    '.a',
    'a.',
    '.',
    '..',
    '../a',
    './a',
    'a..b',
    'a.[0]',
    'a.0',
    '#a',
    '^a',
    '/a',
    '!a',
  ],
  ...['&a', '>a', '=a', '~a', '-', '{a', '{a}', 'a}', 'x'.repeat(300)],
);

const space = fc.constantFrom(
  ...[
    '',
    '',
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\ufeff',
    '\v',
    '\f',
    '\u3000',
  ],
);

const brackets = fc.constantFrom(
  ...[
    ...Array(3).fill(['{{', '}}']),
    ['{{{', '}}}'],
    ['{', '}'],
    ['{{-', '-}}'],
    ['{{~', '~}}'],
    ['{%', '%}'],
  ],
  ...[
    ['{%-', '-%}'],
    ['{#', '#}'],
    ['${', '}'],
    ['${{', '}}'],
    ['{{{{', '}}}}'],
    ['{{!--', '--}}'],
    ['{{#', '}}'],
  ],
  ...[
    ['{{/', '}}'],
    ['{{&', '}}'],
    ['\\{{', '}}'],
    ['\\\\{{', '}}'],
    ['{{', '}'],
    ['{', '}}'],
    ['{{', '}}}'],
  ],
  ...[
    ['<%', '%>'],
    ['⟦', '⟧'],
    ['{{=', '=}}'],
    ['{{role "', '"}}'],
    ['{{> ', '}}'],
    ['{{json ', '}}'],
    ['$', '$'],
  ],
  ...[
    ['@@@langfusePrompt:name=', '|label=production@@@'],
    ['<<<dotprompt:role:', '>>>'],
    ['@', ' '],
    ['!`', '`'],
  ],
) as fc.Arbitrary<readonly [string, string]>;

const oddTag = fc
  .tuple(brackets, space, oddName, space)
  .map(([[open, close], before, name, after]) => `${open}${before}${name}${after}${close}`);

/** Texts of tags in every bracket, with every space in them, between characters that a reader could trip over. */
export const oddText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: oddTag },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...'abc .,{}%#\\$@!<>"\'`|&~-_=',
          ...[
            '\n',
            '\r\n',
            '\r',
            '\t',
            '\u2028',
            '\u0085',
            '\ufeff',
            '\u200b',
            '\u0000',
            '\u001b[31m',
            '\u202e',
          ],
          ...[
            '😀',
            'e\u0301',
            '\n---\n',
            '\n\n',
            '\n```\n',
            '<!-- c -->',
            '\u{e0041}',
            '\ufffd',
            '\ufffe',
            '{{!',
          ],
          ...['{% raw %}', '{% endraw %}', '{{{{raw}}}}', '{{{{/raw}}}}'],
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...['{{#a}}', '{{/a}}', '{{^a}}', '{{#if a}}', '{{else}}', '{{/if}}', '{% if a %}', '{% endif %}'],
          ...[
            '{{#each a}}',
            '{{/each}}',
            '{% for x in a %}',
            '{% endfor %}',
            '{{a}}',
            '{a}',
            '{{=<% %>=}}',
            '<%a%>',
          ],
          ...['{{history}}', '{{role "system"}}', '{{media url=a}}', '{{{ a }}}'],
        ),
      },
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(''));

const ENDS = /\r\n|\r|\n/g;

/** How the characters of a file are written to bytes. */
export const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  plain: (text) => Buffer.from(text),
  'a byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  'two byte order marks': (text) => Buffer.from(`\ufeff\ufeff${text}`),
  'UTF-16 LE': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16 BE': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'UTF-16 LE without mark': (text) => Buffer.from(text, 'utf16le'),
  'Latin 1': (text) => Buffer.from(text, 'latin1'),
  'an overlong slash': (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xc0, 0xaf])]),
  'half a character at the end': (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xf0, 0x9f])]),
  'a surrogate in UTF-8': (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xed, 0xa0, 0x80])]),
  'a NUL at the end': (text) => Buffer.from(`${text}\0`),
  'the end of file of DOS': (text) => Buffer.from(`${text}\x1a`),
  'blank lines around': (text) => Buffer.from(`\n\n${text}\n\n`),
  'CR LF': (text) => Buffer.from(text.replace(ENDS, '\r\n')),
  CR: (text) => Buffer.from(text.replace(ENDS, '\r')),
  'mixed line ends': (text) => {
    let count = 0;
    return Buffer.from(text.replace(ENDS, () => ['\n', '\r\n', '\r'][count++ % 3] ?? ''));
  },
};

export const encoding = fc.constantFrom(...Object.keys(ENCODINGS));

/** The bytes of a text in a named encoding. */
export const encoded = (text: string, how: string): Buffer => (ENCODINGS[how] ?? Buffer.from)(text);

/** JSON in a spelling of its own: escapes, white space, and keys in another order, as `next` says. */
export function spelled(value: unknown, next: () => number): string {
  const blank = (): string => ['', ' ', '\n', '\r\n', '\t', '  '][next() % 6] ?? '';
  const escaped = (unit: string): string => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${next() % 2 === 0 ? code : code.toUpperCase()}`;
  };
  const text = (words: string): string => {
    const units = [...words].map((character) => {
      const how = next() % 5;
      if (character === '/' && how < 2) return '\\/';
      const isEscaped = how === 0 || character < ' ' || character === '"' || character === '\\';
      return isEscaped ? character.split('').map(escaped).join('') : character;
    });
    return `"${units.join('')}"`;
  };
  const list = (items: readonly string[]): string => items.join(`${blank()},${blank()}`);
  const write = (each: unknown): string => {
    if (typeof each === 'string') return text(each);
    if (Array.isArray(each)) return `[${blank()}${list(each.map(write))}${blank()}]`;
    if (typeof each !== 'object' || each === null) return JSON.stringify(each);
    const entries = Object.entries(each).map(
      ([key, item]) => `${text(key)}${blank()}:${blank()}${write(item)}`,
    );
    return `{${blank()}${list(next() % 2 === 0 ? entries : entries.reverse())}${blank()}}`;
  };
  return blank() + write(value) + blank();
}

/** Fields before a text, as well-meant and as wrong as they are found. */
export const oddFields = fc.constantFrom(
  ...['', '---\nname: x\ndescription: d\n---\n', '---\r\nname: x\r\ndescription: d\r\n---\r\n', '---\n---\n'],
  ...[
    '--- \nname: x\ndescription: d\n--- \n\n',
    '---\nname: x\nname: y\n---\n',
    '---\n\n---\n',
    '---\n# c\n---\n',
  ],
  ...[
    '# c\n---\nname: x\n---\n',
    '---\nname: &a x\ndescription: *a\n---\n',
    '---\n<<: {name: x}\ndescription: d\n---\n',
  ],
  ...[
    '---\n"name": x\n\'description\': d\n---\n',
    '---\n? name\n: x\n? description\n: d\n---\n',
    '---\n{name: x}\n---\n',
  ],
  ...['---\nname: x\ndescription: d\n...\n---\n', '---\n%YAML 1.1\n---\nname: yes\n---\n', '---\n- a\n---\n'],
  ...[
    '---\nname\n---\n',
    '---\nnull\n---\n',
    '---\nname: "x\n---\n',
    '---\nname: x\n---',
    '\n---\nname: x\n---\n',
  ],
  ...['----\nname: x\n----\n', '---\nname: x\n----\n', '---yaml\nname: x\n---\n', '+++\nname = "x"\n+++\n'],
  ...['---\nname: x\ndescription: a: b\n---\n', '---\nglobs: **/*.ts\nalwaysApply: true\n---\n'],
  ...['---\nname: ../../x\ndescription: d\n---\n', '---\nname: größe\ndescription: d\n---\n'],
  ...['---\ndescription: |\n  ---\n  d\nname: x\n---\n', '---\nname: X\nNAME: y\ndescription: d\n---\n'],
  ...['---\nmodel: m\nconfig: {a: .inf, b: 0x1f, c: 0o7, d: 1_000, e: 2020-01-01}\n---\n'],
  ...[
    '---\ninput:\n  schema:\n    a: string\n    A: string\n---\n',
    '---\ninput:\n  default:\n    a: X\n---\n',
  ],
);
