import { describe, expect, it } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { inTurn, sampled } from '../../../../test/runs.js';
import { parseShells } from './parse.js';
import { printShells } from './print.js';

/** What hostile text is made of: each is repeated to fill the size. */
const UNITS: readonly string[] = [
  ...[
    ' ',
    '\t',
    ' \t',
    '\n',
    '\r',
    '\r\n',
    ' \n',
    '\u2028',
    '\\',
    '\\\n',
    '-',
    '- ',
    '-\n',
    '#',
    '# ',
    '###### ',
  ],
  ...[
    'user',
    'user ',
    'user:',
    'system message ',
    'human turn\t',
    'instruction ',
    'A_B',
    'A_',
    'A_B\n',
    'A_B_END\n',
  ],
  ...[
    'A_B\n\n',
    '\n\nA_B',
    '- a: b\n',
    '- a:\n  - x\n',
    '  - x\n',
    '- a :',
    '{',
    '{\n',
    '{\r\n',
    '{ ',
    '"',
    '"a",',
    '[',
    '[[',
  ],
  ...[
    'tool_call',
    '{"tool_call":1}\n',
    '{"a":"tool_call"},\n',
    '\\u0074',
    '{\\u0074ool_call',
    '<',
    '< |',
    '<|',
    '|>',
  ],
  ...[
    '<|im_start|>',
    '</s>',
    '[INST]',
    '[ INST]',
    '<start_of_turn>',
    '<<SYS>>',
    '<<<dotprompt:',
    '>>TITLE<<',
  ],
  ...['😀', '\ud800', '\u200b', '\u00ad', '\u0301', 'a\u0301', 'ａ', 'ｕｓｅｒ ', '\uff1c', 'e~['],
];

/** Where it stands in a text that is read. */
const FRAMES: Readonly<Record<string, (text: string) => string>> = {
  'as all there is': (text) => text,
  'as fields': (text) => `TASK_TEXT\n${text}`,
  'as a value': (text) => `TASK_TEXT\n- a: ${text}`,
  'as a quoted value': (text) => `TASK_TEXT\n- a: "${text}"`,
  'as an item': (text) => `TASK_TEXT\n- a:\n  - ${text}`,
  'as a body': (text) => `TASK_TEXT\n- a: b\n${text}`,
  'as a closed body': (text) => `TASK_TEXT\n- a: b\n${text}\nTASK_TEXT_END`,
  'behind a role': (text) => `TASK_TEXT\n\\user${text}`,
  'behind a word of a role': (text) => `TASK_TEXT\n# system message${text}`,
  'behind a field': (text) => `TASK_TEXT\n\\- a${text}`,
  'behind a header': (text) => `TASK_TEXT\n\\A_B${text}`,
  'behind a call': (text) => `TASK_TEXT\n{${text}tool_call`,
  'in JSON with a call': (text) => `TASK_TEXT\n["tool_call",\n"${text}"]`,
};

const SIZE = 1 << 15;
/** What twice the size may cost, with room for a busy machine; a square would be four. */
const MOST = 3.2;
const fill = (unit: string, size: number): string =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

const ALL = UNITS.flatMap((unit) => Object.keys(FRAMES).map((frame) => ({ unit, frame })));
/** Two blanks may be one after the other in a pattern: always tried. */
const KNOWN = [
  { unit: ' ', frame: 'behind a role' },
  { unit: '\t', frame: 'behind a word of a role' },
];
const rows = [...KNOWN, ...inTurn(sampled(ALL, 50), 4)];

describe('hostile text costs time in proportion to its size', () => {
  it.each(rows)('where it is read: $unit $frame', ({ unit, frame }) => {
    const text = new Map([SIZE, 2 * SIZE].map((size) => [size, FRAMES[frame]?.(fill(unit, size)) ?? '']));
    expect(growth((size) => parseShells(text.get(size) ?? ''), SIZE, MOST)).toBeLessThan(MOST);
  });

  it.each(rows)('where it is printed: $unit $frame', ({ unit, frame }) => {
    const shells = new Map(
      [SIZE, 2 * SIZE].map((size) => {
        const text = FRAMES[frame]?.(fill(unit, size)) ?? '';
        return [size, [{ header: 'TASK_TEXT', fields: [{ key: 'a', value: text }], body: text }]];
      }),
    );
    expect(growth((size) => printShells(shells.get(size) ?? []), SIZE, MOST)).toBeLessThan(MOST);
  });
});
