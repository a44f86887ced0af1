import fc from 'fast-check';

/** What a command is called with: what was typed behind its name, and the words that the tool finds in it. */
export interface Typed {
  readonly line: string;
  readonly words: readonly string[];
}

const WORD = /\w/;

/**
 * What Claude Code sends for the body of a command, by its documentation: one pass, a single backslash makes text of the
 * token behind it, a number without a word stays, a declared name without one is empty. Shell commands are not in it.
 */
export function claudeSends(body: string, names: readonly string[], { line, words }: Typed): string {
  let sent = '';
  for (let at = 0; at < body.length; ) {
    const isEscape = body[at] === '\\' && body[at - 1] !== '\\' && body[at + 1] === '$';
    const start = isEscape ? at + 1 : at;
    const found = body[start] === '$' ? tokenAt(body, start, names, { line, words }) : undefined;
    const escaped = isEscape && (found !== undefined || /^\$(?:\d|ARGUMENTS)/.test(body.slice(start)));
    if (escaped) {
      const written = /^\$(?:\d+|ARGUMENTS|\w+)/.exec(body.slice(start))?.[0] ?? '$';
      sent += written;
      at = start + written.length;
    } else if (found !== undefined && !isEscape) {
      sent += found.value;
      at += found.length;
    } else {
      sent += body[at];
      at += 1;
    }
  }
  return sent;
}

function tokenAt(
  body: string,
  at: number,
  names: readonly string[],
  { line, words }: Typed,
): { readonly value: string; readonly length: number } | undefined {
  const rest = body.slice(at + 1);
  if (rest.startsWith('ARGUMENTS')) {
    const index = /^ARGUMENTS\[(\d+)\]/.exec(rest);
    if (index === null) return { value: line, length: 10 };
    return { value: words[Number(index[1])] ?? `$${index[0]}`, length: index[0].length + 1 };
  }
  const digits = /^\d+/.exec(rest)?.[0];
  if (digits !== undefined) {
    if (WORD.test(rest[digits.length] ?? '')) return undefined;
    return { value: words[Number(digits)] ?? `$${digits}`, length: digits.length + 1 };
  }
  const name = names.find((each) => rest.startsWith(each) && !/[\w[]/.test(rest[each.length] ?? ''));
  return name === undefined
    ? undefined
    : { value: words[names.indexOf(name)] ?? '', length: name.length + 1 };
}

/** What a body may be made of that every reader of the documentation takes in one way. */
const CORE = ['$ARGUMENTS', '$0', '$1', '$2', '$issue', '$branch', '$missing', '$ARGUMENTS[1]'];
/** What is close to it. */
const NEAR = [
  ...['\\$0', '\\\\$1', '\\\\\\$1', '\\$issue', '\\$other', '\\$HOME', '\\$ARGUMENTS', '\\$ARGUMENTSX', '\\'],
  ...[
    '$other',
    '$issuer',
    '$issue_',
    '$issue[0]',
    '$issue-',
    '$1st',
    '$01',
    '$10',
    '$9',
    '$$1',
    '$',
    '$ISSUE',
  ],
  ...[
    '$ARGUMENTS[x]',
    '$ARGUMENTS[9]',
    '$ARGUMENTSX',
    ...['issue', '1', 'CLAUDE_OTHER'].map((name) => `$\{${name}}`),
    '{$1}',
    '$5x',
  ],
  ...['$1é', '$issueé', '`$1`', '"$branch"', '[0]', '0', '1', 'x', '_'],
];
const WORDS = [...'ab Z.,:!?-*#>"\'é😀中', '\n', ' ', '\t', '- x\n', '# h\n', '@docs/a.md', '<!-- c -->'];
const SHELL = [
  ...[
    '!`echo q`',
    ' !`echo q`',
    '(!`echo q`)',
    'a!`echo q`',
    '`!`',
    '`x !` ',
    '`',
    '```',
    '```!\necho q\n```\n',
  ],
  ...['  ```!\n  echo q\n  ```\n', '```sh\n!`echo q`\n```\n', '!', '! `echo`', '\n'],
];

const bodyOf = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
    .map((parts) => `T ${parts.join('')} $ARGUMENTS.\n`);

/** Bodies of commands: of tokens and words, with what is close to a token, with shell commands. */
export const commandBodies = {
  core: bodyOf([...CORE, ...WORDS].filter((piece) => piece !== '`')).map((body) =>
    body.replace(/(?<=\$(?:\d+|\w+))(?=[\w[])/g, ' '),
  ),
  near: bodyOf([...CORE, ...NEAR, ...WORDS]).filter((body) => !body.includes('!`')),
  shell: bodyOf([...CORE, ...SHELL, ...WORDS]),
};

/** The names that the bodies may use; the last has no word. */
export const ARGUMENT_NAMES = ['issue', 'branch', 'third', 'missing'];

/** What a person types. */
export const TYPED: Typed = { line: 'one "two b" 3', words: ['one', 'two b', '3'] };
