import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { runs } from '../../../../test/runs.js';
import { MAX_LINE } from './form.js';
import { createCallScanner, hasCall, scanBlocks } from './scan.js';

const TC = (name: string, args: unknown = {}, id?: string) =>
  JSON.stringify({ tool_call: { ...(id === undefined ? {} : { id }), name, args } });
const SPAWN = TC('spawn_node', { label: 'Docs', roleTemplate: 'planner' }, 't1');
const found = (...blocks: readonly string[]) => {
  const { calls, notes } = scanBlocks(blocks);
  return { calls: calls.map(({ name }) => name), rules: notes.map(({ rule }) => rule) };
};
const one = { calls: ['spawn_node'], rules: [] };

describe('a call', () => {
  it('alone on its line is found, and the other lines stay', () => {
    const scanned = scanBlocks([`Before.\n${SPAWN}\n\nBehind.`]);
    expect(scanned.calls).toEqual([
      {
        id: 't1',
        name: 'spawn_node',
        args: { label: 'Docs', roleTemplate: 'planner' },
        line: 2,
        block: 0,
      },
    ]);
    expect(scanned.text).toBe('Before.\n\nBehind.');
    expect(scanned.notes).toEqual([]);
  });

  it.each<[string, readonly string[], ReturnType<typeof found>]>([
    ['spaces around it', [`  \t${SPAWN}  `], one],
    ['CRLF', [`x\r\n${SPAWN}\r\ny`], one],
    ['no id', [TC('spawn_node', {})], one],
    ['a blank id', [TC('spawn_node', {}, ' ')], one],
    ['an escaped key', [SPAWN.replace('tool_call', '\\u0074ool_call')], one],
    ['white space inside', ['{ "tool_call" : { "name" : "spawn_node", "args" : { } } }'], one],
    ['text with brackets and quotes in it', [TC('spawn_node', { label: '}{"\\"[' })], one],
    ['two lines', [`${SPAWN}\n${TC('create_edge')}`], { calls: ['spawn_node', 'create_edge'], rules: [] }],
    [
      'one in each block',
      [SPAWN, 'text', TC('create_edge')],
      { calls: ['spawn_node', 'create_edge'], rules: [] },
    ],
    ['a block that does not end its line', ['Now', SPAWN], one],
    ['behind a fence that is closed', [`\`\`\`\nx\n\`\`\`\n${SPAWN}`], one],
    ['behind a fence that the block before left open', ['```\nx', SPAWN], one],
    ['behind inline code', [`Use \`\`\`x\`\`\` so:\n${SPAWN}`], one],
    ['behind inline code at the start of a line', [`\`\`\`x\`\`\` so:\n${SPAWN}`], one],
    ['an unknown tool, which is for the planner to answer', [TC('zap')], { calls: ['zap'], rules: [] }],
  ])('%s', (_name, blocks, expected) => {
    expect(found(...blocks)).toEqual(expected);
  });
});

describe('a near miss is answered, and not run', () => {
  it.each<[string, string, string, RegExp]>([
    ['text before', `Now: ${SPAWN}`, 'prefix', /alone on one line/],
    ['a list mark before', `- ${SPAWN}`, 'prefix', /nothing may stand before/],
    ['a quote mark before', `> ${SPAWN}`, 'prefix', /nothing may stand before/],
    ['inline code around', `\`${SPAWN}\``, 'prefix', /nothing may stand before/],
    ['text behind', `${SPAWN} please`, 'suffix', /nothing may stand behind/],
    ['a comma behind', `${SPAWN},`, 'suffix', /nothing may stand behind/],
    ['two on a line', `${SPAWN} ${SPAWN}`, 'two', /two calls on one line/],
    ['params', '{"tool_call":{"name":"spawn_node","params":{}}}', 'params', /Use args, not params/],
    ['params beside args', '{"tool_call":{"name":"x","args":{},"params":{}}}', 'params', /Use args/],
    ['bad JSON', '{"tool_call":{"name":"spawn_node","args":{a:1}}}', 'json', /not JSON, wrong at character/],
    ['single quotes', "{'tool_call':{'name':'spawn_node','args':{}}}", 'json', /not JSON/],
    ['unbalanced JSON', '{"tool_call":{"name":"spawn_node","args":{}}', 'split', /not closed/],
    ['printed over lines', '{\n  "tool_call": {\n    "name": "x"\n  }\n}', 'split', /not closed/],
    ['toolCall', '{"toolCall":{"name":"spawn_node","args":{}}}', 'wrapper', /tool_call, not toolCall/],
    ['no wrapper', '{"name":"spawn_node","args":{"label":"x"}}', 'bare', /lacks its wrapper/],
    ['tags', `<tool_call>${TC('x')}</tool_call>`, 'tag', /not written in tags/],
    ['args as a text', '{"tool_call":{"name":"spawn_node","args":"x"}}', 'args', /args is a JSON object/],
    ['no args', '{"tool_call":{"name":"list_files"}}', 'args', /args is a JSON object/],
    ['no name', '{"tool_call":{"args":{}}}', 'name', /name of a tool/],
    ['an empty name', '{"tool_call":{"name":" ","args":{}}}', 'name', /name of a tool/],
    ['an id that is no text', '{"tool_call":{"id":7,"name":"x","args":{}}}', 'id', /short text/],
    ['an unknown field', '{"tool_call":{"name":"x","args":{},"when":1}}', 'field', /"when"/],
    ['a key beside it', '{"tool_call":{"name":"x","args":{}},"note":1}', 'field', /"note"/],
    ['a list', '{"tool_call":[1]}', 'field', /a JSON object/],
    [
      'nested without end',
      `{"tool_call":{"name":"x","args":{"a":${'['.repeat(80)}${']'.repeat(80)}}}}`,
      'deep',
      /64/,
    ],
    ['longer than any call', `{"tool_call":${' '.repeat(MAX_LINE)}`, 'length', /smaller calls/],
  ])('%s', (_name, text, rule, message) => {
    const { calls, notes, text: shown } = scanBlocks([text]);
    expect(calls).toEqual([]);
    expect(notes.map((note) => note.rule)).toEqual([rule]);
    expect(notes[0]?.message).toMatch(message);
    expect(shown.length).toBeGreaterThan(0);
  });

  it.each([
    ['backticks', `\`\`\`\n${SPAWN}\n\`\`\``],
    ['tildes with an info string', `~~~json\n${SPAWN}\n~~~`],
    ['never closed', `\`\`\`json\n${SPAWN}`],
    ['a longer fence around a shorter one', `\`\`\`\`md\n\`\`\`\n\`\`\`\n${SPAWN}\n\`\`\`\``],
    ['another mark inside', `\`\`\`\n~~~\n${SPAWN}\n\`\`\``],
    ['a closing line with words', `\`\`\`\n\`\`\` not closed\n${SPAWN}\n\`\`\``],
    ['behind spaces', `    \`\`\`\n    ${SPAWN}\n    \`\`\``],
    ['in a list', `1. \`\`\`json\n   ${SPAWN}\n   \`\`\``],
    ['in a quote', `> \`\`\`\n${SPAWN}\n> \`\`\``],
  ])('a fence is an example: %s', (_name, text) => {
    expect(found(text)).toEqual({ calls: [], rules: ['fence'] });
  });
});

describe('data is left alone', () => {
  it.each([
    '{"name":"x","args":{}}',
    '{"name":"Alice","args":{"x":1}}',
    '{"a":1}',
    '{}',
    '{"a":',
    'a tool_call is one line of JSON',
    '"tool_call"',
    '["tool_call"]',
    `\\${SPAWN}`,
    '{"name":"spawn_node"}',
  ])('%s', (text) => {
    expect(scanBlocks([text])).toEqual({ calls: [], notes: [], text });
  });
});

it('a call in the output of a command is seen, data that looks alike is not', () => {
  expect(hasCall(`ok\n  ${SPAWN}\r\n`)).toBe(true);
  expect(hasCall('{"name":"spawn_node","args":{}}\n{"tool_call":1}\nno tool_call here')).toBe(false);
});

describe('for all answers', () => {
  const somePart = fc.oneof(
    fc.constantFrom(
      SPAWN,
      TC('x'),
      '```',
      '~~~~',
      '````',
      '\n',
      '\n',
      '\r\n',
      ' ',
      '- ',
      '> ',
      '{"tool_call":',
      '}',
    ),
    fc.constantFrom(
      '{"tool_call":{"name":"x","params":{}}}',
      '{"a":1}',
      'text',
      '\\',
      '"',
      '{',
      '<tool_call>',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const someText = fc.array(somePart, { maxLength: 30 }).map((parts) => parts.join(''));

  it('any chunking gives the same calls, notes and text', () => {
    fc.assert(
      fc.property(
        fc.array(someText, { maxLength: 4 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (blocks, cuts) => {
          const whole = scanBlocks(blocks);
          const scanner = createCallScanner();
          const heard: unknown[] = [];
          blocks.forEach((text, block) => {
            scanner.push(block, '');
            for (let at = 0; at < text.length; ) {
              const next = at + (cuts.next().value ?? 1);
              heard.push(...scanner.push(block, text.slice(at, next)).calls);
              at = next;
            }
          });
          const streamed = scanner.end();
          expect(streamed).toEqual(whole);
          for (const call of heard) expect(whole.calls).toContainEqual(call);
        },
      ),
      runs(500, 50_000),
    );
  });

  it('a line is a call, a note or text, and only calls leave the answer', () => {
    fc.assert(
      fc.property(someText, (text) => {
        const { calls, notes, text: shown } = scanBlocks([text]);
        const lines = text.split('\n');
        for (const { line } of [...calls, ...notes])
          expect(lines[line - 1]).toMatch(/tool_?call|spawn_node/i);
        const left = lines.filter((_, index) => !calls.some(({ line }) => line === index + 1));
        expect(shown).toBe(left.join('\n').trim());
      }),
      runs(500, 50_000),
    );
  });
});

it.each([
  ['open braces', '{"tool_call":'],
  ['marks', '- > 1. '],
  ['quotes', '{"tool_call\\u'],
  ['blanks', ' \t'],
])('takes time in proportion to the text: %s', (_name, unit) => {
  expect(growth((size) => scanBlocks([unit.repeat(size)]), 20_000, 3)).toBeLessThan(3.5);
});
