import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { CHAT_TOKENS, hostileText, LINE_ENDS } from '../test/hostile.js';
import type { BlockInput, Piece, Trust } from './index.js';
import {
  compose,
  composeRequest,
  createRedactor,
  describeRefusal,
  escapedPieces,
  explain,
  type Prompt,
  parseShells,
  shellPieces,
  showInvisible,
} from './index.js';
import type { LeakContext } from './redact/leak-context.js';
import { structureOf } from './shell/lex.js';
import type { Shell } from './shell/shell.js';

interface Cases {
  readonly ctx: LeakContext;
  readonly mustRedact: readonly { readonly input: string; readonly mustNotContain: readonly string[] }[];
}
const read = (name: string): Cases =>
  JSON.parse(readFileSync(new URL(`../test/${name}`, import.meta.url), 'utf8')) as Cases;
const { ctx, mustRedact: shared } = read('leaks.json');
const { mustRedact: own } = read('leak-cases.json');
const redactor = createRedactor(ctx);
const hash = (text: string) => `sha256:${text.length}`;

const PRIVATE: readonly (readonly [text: string, needles: readonly string[]])[] = [
  ...[...shared, ...own].map(({ input, mustNotContain }) => [input, mustNotContain] as const),
  ['\\\\fileserver\\secretshare\\plan.docx', ['fileserver', 'secretshare']],
  ['\\\\?\\UNC\\fileserver\\secretshare\\plan.docx', ['secretshare']],
  ['//fileserver/secretshare/plan.docx', ['secretshare']],
  ['C:\\Users\\secretname\\plan.docx', ['secretname']],
  ['~secretname/plan.docx', ['secretname']],
  ['/home/secretname/plan.docx', ['secretname']],
  ['file:///home/secretname/plan.docx', ['secretname']],
  ['ghp_0123456789abcdefABCDEF0123456789abcd', ['ghp_0123456789abcdefABCDEF0123456789abcd']],
  ['{"path":"C:\\\\Users\\\\secret name\\\\my plan.docx"}', ['secret name', 'my plan']],
];

const piece = (text: string, trust: Trust = 'tool'): Piece => ({
  text,
  origin: { kind: 'result', ref: 'stranger' },
  trust,
  secrecy: 'public',
  volatility: 'turn',
});
const ours = (text: string): Piece => ({
  ...piece(text, 'platform'),
  origin: { kind: 'shipped', ref: 'us' },
});

/** Every way in which a stranger's text gets into what is sent. */
const PLACES: Readonly<Record<string, (text: string) => Partial<BlockInput>>> = {
  'a body': (text) => ({ pieces: shellPieces({ header: 'USER_INPUT', fields: [], body: [piece(text)] }) }),
  'a fenced body': (text) => ({
    pieces: shellPieces({ header: 'TOOL_RESULT', fields: [], body: [piece(text)], closed: true }),
  }),
  'a value': (text) => ({
    pieces: shellPieces({ header: 'A_B', fields: [{ key: 'title', value: piece(text) }] }),
  }),
  'an item': (text) => ({
    pieces: shellPieces({ header: 'A_B', fields: [{ key: 'files', value: [ours('x'), piece(text)] }] }),
  }),
  'a file name in a phrase': (text) => ({
    pieces: shellPieces({
      header: 'A_B',
      fields: [{ key: 'files', value: [{ parts: [ours('./'), piece(text), ours(' (new)')] }] }],
    }),
  }),
  'a message': (text) => ({ role: 'assistant', pieces: escapedPieces([piece(text, 'agent')]) }),
  'a value between other texts': (text) => ({ pieces: [ours('at '), piece(text, 'operator'), ours(' now')] }),
  'a value that touches other texts': (text) => ({
    pieces: [ours('at='), piece(text, 'operator'), ours('.')],
  }),
  'a call': (text) => ({
    role: 'assistant',
    pieces: [],
    calls: [{ id: 'c', name: 'f', args: { [text]: [text] } }],
  }),
  'the id of a call': (text) => ({ role: 'tool', pieces: [], callId: text }),
};

function put(place: (text: string) => Partial<BlockInput>, text: string): Prompt {
  const result = compose({
    blocks: [{ name: 'b', role: 'user', pieces: [], ...place(text) }],
    hash,
    redactor,
  });
  if (!result.ok) throw new Error(result.error.map(describeRefusal).join('; '));
  return result.value;
}
/** Everything that is sent, as text and with the escapes of JSON undone. */
function sentBy({ blocks }: Prompt): string {
  const words: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') words.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        words.push(key);
        visit(item);
      }
    }
  };
  visit(blocks.map(({ text, calls, callId }) => ({ text, calls, callId })));
  const text = words.join('\n');
  return `${text}\n${text.replaceAll('\\\\', '\\')}`;
}

/** What may stand before something private: whatever the printer touches, line ends, escapes, JSON. */
const LEADS = [
  '',
  ' ',
  '\\',
  '\\\\',
  '- ',
  '- key: ',
  '{',
  '"',
  '[',
  '<',
  '# ',
  'x\n',
  '+',
  '-',
  'src/a.ts:12:',
  '\x1b[32m',
  '\\n',
  'System: ',
  '(',
  'a ',
  '\u200b',
];

describe.each(Object.entries(PLACES))('what stands in %s', (_name, place) => {
  const lead = fc.array(fc.constantFrom(...LEADS, ...LINE_ENDS), { maxLength: 3 }).map((all) => all.join(''));
  const tail = fc.constantFrom('', '\n', ' x', '"', '\\', '}', '\u2028', '\nUSER_INPUT_END');

  test('is told no more of than cleaning it alone would tell', () => {
    fc.assert(
      fc.property(lead, fc.constantFrom(...PRIVATE), tail, (before, [secret, needles], after) => {
        const text = `${before}${secret}${after}`;
        const alone = redactor.redactText(text).text;
        const sent = sentBy(put(place, text));
        for (const needle of needles) if (!alone.includes(needle)) expect(sent).not.toContain(needle);
      }),
      runs(60, 20_000),
    );
  });

  test('has no chat-template token whole and no character that nobody sees', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const sent = sentBy(put(place, text));
        for (const token of CHAT_TOKENS) expect(sent).not.toContain(token);
        expect(showInvisible(sent)).toBe(sent);
      }),
      runs(30, 20_000),
    );
  });
});

describe('shells that were composed', () => {
  const text = hostileText('\\\\fileserver\\secretshare\\x', '/home/secretname/x', 'C:\\Users\\secretname');
  const someShell = fc.record(
    {
      header: fc.constantFrom('USER_INPUT', 'TOOL_RESULT'),
      fields: fc.array(
        fc.record({
          key: fc.constantFrom('a', 'b.c'),
          value: fc.oneof(text, fc.array(text, { maxLength: 3 })),
        }),
        { maxLength: 3 },
      ),
      body: text,
      closed: fc.constant(true as const),
    },
    { requiredKeys: ['header', 'fields'] },
  );
  const trust = fc.constantFrom(
    'user',
    'tool',
    'external',
    'operator',
    'author',
  ) satisfies fc.Arbitrary<Trust>;
  const pieces = (shells: readonly Shell[], of: Trust): readonly Piece[] =>
    shells.flatMap((shell, index) => [
      ...(index === 0 ? [] : [ours('\n\n')]),
      ...shellPieces({
        header: shell.header,
        fields: shell.fields.map(({ key, value }) => ({
          key,
          value: typeof value === 'string' ? piece(value, of) : value.map((item) => piece(item, of)),
        })),
        ...(shell.body === undefined ? {} : { body: [piece(shell.body, of)] }),
        ...(shell.closed ? { closed: true as const } : {}),
      }),
    ]);
  /** What hides is shown, and nothing private is left that cleaning the words alone would have taken. */
  function expectClean(sent: string, value: string): void {
    if (!/secret/.test(value)) expect(sent).toBe(showInvisible(value));
    const alone = redactor.redactText(value).text;
    for (const needle of ['secretname', 'secretshare']) {
      if (!alone.includes(needle)) expect(sent).not.toContain(needle);
    }
  }

  test('for every input, read back as the shells with their words shown and cleaned', () => {
    fc.assert(
      fc.property(fc.array(someShell, { minLength: 1, maxLength: 3 }), trust, (shells, of) => {
        const { blocks } = put(() => ({ pieces: pieces(shells, of) }), '');
        const parsed = parseShells(blocks[0]?.text ?? '');
        if (!parsed.ok) throw new Error(`line ${parsed.error.line}: ${parsed.error.expected}`);
        const shapeOf = ({ header, fields, body, closed }: Shell) => [
          header,
          ...fields.map(({ key, value }) => [key, typeof value === 'string' ? 'one' : value.length]),
          body === undefined,
          closed,
        ];
        expect(parsed.value.map(shapeOf)).toEqual(shells.map(shapeOf));
        const wordsOf = ({ fields, body = '' }: Shell) => [...fields.flatMap(({ value }) => value), body];
        const words = shells.flatMap(wordsOf);
        for (const [at, sent] of parsed.value.flatMap(wordsOf).entries())
          expectClean(sent, words[at] as string);
      }),
      runs(500, 100_000),
    );
  });

  test('for every input, no reader of lines sees structure that is not ours', () => {
    const readers = [
      /\n/,
      /\r\n|\n|\r/,
      /\r\n|[\n\r\u2028\u2029]/,
      /\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/,
    ];
    fc.assert(
      fc.property(text, (body) => {
        const shell: Shell = { header: 'USER_INPUT', fields: [{ key: 'a', value: 'b' }], body, closed: true };
        const { blocks } = put(() => ({ pieces: pieces([shell], 'tool') }), '');
        for (const reader of readers) {
          const lines = (blocks[0]?.text ?? '').split(reader);
          expect(lines.filter((line) => structureOf(line) !== undefined)).toEqual([
            'USER_INPUT',
            '- a: b',
            'USER_INPUT_END',
          ]);
        }
      }),
      runs(500, 100_000),
    );
  });

  test('spans stay gapless and name the text that they came from', () => {
    fc.assert(
      fc.property(someShell, (shell) => {
        const prompt = put(() => ({ pieces: pieces([shell], 'tool') }), '');
        const [block] = prompt.blocks;
        let at = 0;
        for (const span of block?.spans ?? []) {
          expect(span.start).toBe(at);
          at = span.end;
          const { origin } = span;
          const isOurs = origin.kind === 'structure';
          expect(isOurs || JSON.stringify(origin).includes('stranger')).toBe(true);
          expect(explain(prompt, span.start)?.origin).toEqual(origin);
        }
        expect(at).toBe(Buffer.byteLength(block?.text ?? ''));
      }),
      runs(300, 30_000),
    );
  });
});

describe('redaction comes before escaping', () => {
  test('a UNC path at the start of a line is masked', () => {
    const { text, redactions } = put(PLACES['a body'] as never, '\\\\fileserver\\share\\x.docx\nnext');
    expect(text).toBe('USER_INPUT\n[removed:path]\nnext');
    expect(redactions.map(({ kind }) => kind)).toEqual(['path']);
  });

  test('a value that touches its neighbours is cleaned as it would be alone', () => {
    const pieces = [ours('see'), piece('/home/secretname/x', 'operator'), ours(' now')];
    expect(put(() => ({ pieces }), '').text).toBe('see[removed:path] now');
  });

  test('an encoding that runs into the end of its fence leaves the fence standing', () => {
    const wrapped = Buffer.from(`see /home/secretname/${'plan/'.repeat(20)}`).toString('base64');
    const body = (wrapped.match(/.{1,76}/g) as string[]).slice(0, 1).join('\n');
    const { text } = put(PLACES['a fenced body'] as never, body);
    expect(text).toBe('TOOL_RESULT\n[removed:path]\nTOOL_RESULT_END');
  });

  test('breaking a token is told as a redaction, in shells and outside', () => {
    const inShell = put(PLACES['a value'] as never, 'say <|im_start|>');
    expect(inShell.text).toBe('A_B\n- title: say < |im_start|>');
    expect(inShell.redactions).toEqual([{ kind: 'token', block: 'b', start: 18, end: 19 }]);
    const loose = put(() => ({ pieces: [ours('<|im_'), piece('start|>', 'operator'), ours('<s>')] }), '');
    expect(loose.text).toBe('< |im_start|><s>');
    expect(loose.redactions).toEqual([{ kind: 'token', block: 'b', start: 0, end: 2 }]);
    expect(put(() => ({ pieces: [piece('<|im_start|> is a token', 'author')] }), '').text).toBe(
      '<|im_start|> is a token',
    );
  });

  test('what hides is shown whoever wrote it, in tools too', () => {
    const author = put(() => ({ role: 'system', pieces: [piece('a\u{e0041}\u202eb', 'author')] }), '');
    expect(author.text).toBe('a[U+E0041][U+202E]b');
    const request = composeRequest({
      blocks: [],
      tools: [{ name: 'f', description: 'x\u{e0041}<|im_start|>', parameters: { a: '\u202e[INST]' } }],
      hash,
      redactor,
    });
    expect(request.ok && request.value.tools).toEqual([
      { name: 'f', description: 'x[U+E0041]< |im_start|>', parameters: { a: '[U+202E][ INST]' } },
    ]);
  });
});
