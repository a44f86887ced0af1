import type { ApprovalView, JsonValue } from '@cuebook/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { waitingLine } from '../../approvals/waiting-text.js';
import { styleFor } from '../../output/style.js';
import { approvalLine, approvalText } from './approval-text.js';
import { subject } from './call-lines.js';
import { screenValue } from './screen-value.js';

const plain = styleFor({ env: {}, terminal: { out: false, err: false } }, 'out');
const asked = (input: JsonValue, more: Partial<ApprovalView> = {}): ApprovalView =>
  ({
    ...{ run: 'run_1', id: 'apr_1', kind: 'team', target: null, for: 'approval', tool: 'execute', input },
    ...{ reason: null, node: 'n1', alias: 'dev', status: 'waiting', ...more },
  }) as ApprovalView;

const TOUCH = 'touch F';
const EDIT = [{ file: 'a.md', patch: '@@ -1 +1 @@\n-w\n+x' }];

describe('what an agent asks for', () => {
  it.each<readonly [string, JsonValue, Partial<ApprovalView>]>([
    ['a second command', { cmd: 'ls', command: TOUCH }, {}],
    ['a second command, the other way round', { command: 'ls', cmd: TOUCH }, {}],
    ['a command that is a list', { cmd: 'ls', command: [TOUCH] }, {}],
    ['a second file', { path: 'README.md', file_path: TOUCH }, {}],
    ['a command beside an edit', { path: 'a.md', content: 'x', command: TOUCH }, { changes: EDIT }],
    ['another file beside an edit', { path: 'a.md', file_path: TOUCH, content: 'x' }, { changes: EDIT }],
    ['a text within', { asked: { rawInput: { command: TOUCH } } }, {}],
    ['a command far to the right', { command: `ls ${' '.repeat(5_000)}; ${TOUCH}` }, {}],
  ])('is shown with %s, and a list says that there is more', (_name, input, more) => {
    const row = asked(input, more);
    expect(approvalText(row, plain)).toContain(TOUCH);
    const line = approvalLine(row);
    expect(line.includes(TOUCH) || line.endsWith(' …')).toBe(true);
    expect(subject(input).includes(TOUCH) || subject(input).endsWith(' …')).toBe(true);
  });

  it('is never cut in a list without a sign of it, in any kind of run', () => {
    const row = asked({ command: `ls ${' '.repeat(700)}; ${TOUCH}` }, { kind: 'thread', tool: 'shell' });
    expect(waitingLine(row)).toContain(TOUCH);
    expect(waitingLine(asked({ command: `ls ${'x'.repeat(700)}; ${TOUCH}` }, { kind: 'thread' }))).toMatch(
      /…$/,
    );
  });

  it('stands behind our signs, whatever its lines are: none passes for a line of ours', () => {
    const forged = fc.constantFrom('$ ls', 'in /safe', '+ok', '? dev asks for read', '  $ ls', '> x', 'a.md');
    const end = fc.constantFrom('\n', '\r\n', '\r', '\u2028', '\u0085', '\v', '\x1c');
    const text = fc
      .tuple(forged, end, forged)
      .map(([first, between, second]) => `${first}${between}${second}`);
    const field = fc.constantFrom('cmd', 'command', 'path', 'file_path', 'cwd', 'note', 'an odd\nname', '+x');
    const input = fc.dictionary(field, text, { minKeys: 1 });
    fc.assert(
      fc.property(input, text, text, (fields, tool, reason) => {
        const lines = approvalText(asked(fields, { tool, reason }), plain).split(
          /\r\n|[\n\v\r\x1c\x85\u2028]/,
        );
        const [head = '', ...body] = lines.slice(0, -1);
        expect(head.startsWith('? dev asks for "')).toBe(true);
        // One command at most, one folder, and no more files than are named.
        const count = (sign: RegExp): number => body.filter((line) => sign.test(line)).length;
        expect(count(/^ {2}\$ /)).toBe('cmd' in fields !== 'command' in fields ? 1 : 0);
        expect(count(/^ {2}in /)).toBe('cwd' in fields ? 1 : 0);
        expect(count(/^ {2}\+/)).toBe(0);
        expect(count(/^ {2}a\.md$/)).toBe(0);
      }),
      runs(500, 20_000),
    );
  });

  it('has a patch that an agent tells itself behind a sign where it is no patch', () => {
    const changes = [{ file: 'a.md', patch: '@@ -1 +1 @@\n+x\n$ ls\nb.md' }];
    const lines = approvalText(asked({ path: 'a.md' }, { changes }), plain).split('\n');
    expect(lines.slice(1, -1)).toEqual(['  a.md', '  @@ -1 +1 @@', '  +x', '  | $ ls', '  | b.md']);
  });

  it('has on a screen no character that nobody sees', () => {
    const io = { terminal: { out: true, err: true, in: true } };
    for (const hidden of ['\u200b', '\u{e0041}', '\u202e', '\u2066', '\u2028', '\x1b[8m', '\u2060'])
      expect(approvalText(screenValue(asked({ command: `ls ${hidden}; x` }), io), plain)).not.toContain(
        hidden,
      );
  });
});
