import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { applied } from './applied.js';
import { afterEdit, plannedEdits } from './edit.js';
import { tellEdit, tellTogether } from './tell.js';

const open = { redactText: (text: string) => ({ text, redactions: [] }) } as never;
const masking = { redactText: (text: string) => ({ text: text.replaceAll('s3cret', '[removed]') }) } as never;

const line = fc.constantFrom('a', 'b', 'c', '', '+a', '-b', '@@ -1,1 +1,1 @@', '\\ No', 'd\r', '\t');
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + end);
const pair = fc.record({ old_string: text, new_string: text }).filter(({ old_string: old }) => old !== '');

/** A file and a call that edits it, in each form. Most edits change a line of what is there. */
const edited = text.chain((now) => {
  const lines = now.split('\n');
  const next = fc
    .tuple(fc.nat(Math.max(0, lines.length - 1)), line)
    .map(([at, word]) => lines.map((each, index) => (index === at ? word : each)).join('\n'));
  const content = fc.oneof(next, text);
  const own = fc
    .nat(Math.max(0, lines.length - 1))
    .map((at) => ({ old_string: lines[at] || 'a', new_string: 'x\ny' }));
  const call = fc.oneof(
    content.map((words): [string, JsonValue] => ['Write', { file_path: 'f', content: words }]),
    own.map((words): [string, JsonValue] => ['Edit', { file_path: 'f', ...words, replace_all: true }]),
    fc
      .array(fc.oneof(own, pair), { minLength: 1, maxLength: 3 })
      .map((edits): [string, JsonValue] => ['MultiEdit', { path: 'f', edits }]),
    content.map((newText): [string, JsonValue] => [
      'edit',
      { content: [{ type: 'diff', path: 'f', oldText: now, newText }] },
    ]),
    content.map((diff): [string, JsonValue] => [
      'fileChange',
      { changes: [{ path: 'f', kind: 'add', diff }] },
    ]),
  );
  return fc.tuple(fc.constant(now), call);
});

/** JSON pointers of all that a value holds. */
const leaves = (value: JsonValue, at = ''): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => leaves(each, `${at}/${key}`))
    : [at];

describe('what a change tells', () => {
  it('for all: is all that the edit asks for, and gives it when it is applied to the file as it stands', () => {
    let told = 0;
    const { numRuns, ...rest } = runs(1_000, 30_000);
    fc.assert(
      fc.property(edited, ([now, [tool, input]]) => {
        const [edit] = plannedEdits(tool, input);
        if (edit === undefined) throw new Error('no edit');
        const change = tellEdit(edit, now, open);
        if (change === undefined) {
          expect(afterEdit(now, edit)).toBeUndefined();
          return;
        }
        told += 1;
        expect(applied(now, change.patch)).toBe(afterEdit(now, edit));
        expect([...(change.tells ?? [])].sort()).toEqual([...leaves(input)].sort());
      }),
      { numRuns, ...rest },
    );
    expect(told).toBeGreaterThan(numRuns / 20);
  });

  it.each<readonly [string, string, JsonValue, string | null, readonly string[] | undefined]>([
    [
      'a field that the edit is not made of',
      'Write',
      { path: 'f', content: 'x', edits: [] },
      null,
      ['/path', '/content'],
    ],
    [
      'words of the file that are not its own',
      'edit',
      {
        content: [{ type: 'diff', path: 'f', oldText: 'other', newText: 'x' }],
      },
      'a',
      ['/content/0/type', '/content/0/path', '/content/0/newText'],
    ],
    [
      'a kind that says more',
      'fileChange',
      {
        changes: [{ path: 'f', kind: { type: 'update', move_path: 'g' }, diff: '@@ -1 +1 @@\n-a\n+b' }],
      },
      'a',
      ['/changes/0/path', '/changes/0/diff'],
    ],
    [
      'lines that are none of a patch',
      'fileChange',
      {
        changes: [{ path: 'f', kind: 'update', diff: '*** Move to: g\n+b' }],
      },
      'a',
      undefined,
    ],
    ['an empty file that is made', 'Write', { path: 'f', content: '' }, null, undefined],
  ])('is not %s', (_name, tool, input, now, tells) => {
    const [edit] = plannedEdits(tool, input);
    expect(edit && tellEdit(edit, now, open)?.tells).toEqual(tells);
  });

  it('is nothing of a file in which words are masked: whether they stay cannot be seen', () => {
    const content = 'key=[removed]\na\nb\nc\nd\ne\nport=2\n';
    const now = content.replace('[removed]', 's3cret').replace('port=2', 'port=1');
    const [edit] = plannedEdits('Write', { path: 'f', content });
    const change = edit && tellEdit(edit, now, masking);
    expect(change?.patch).toContain('+port=2');
    expect(change?.patch).not.toContain('s3cret');
    expect(change?.tells).toBeUndefined();
  });

  it('is nothing where two of them may be of one file', () => {
    const change = (file: string) => ({ file, patch: '+a', tells: ['/content'] });
    const tells = (...files: readonly string[]) =>
      tellTogether(files.map(change)).filter((each) => each.tells !== undefined).length;
    expect(tells('a/f', 'a/g')).toBe(2);
    for (const other of ['a/f', './a/f', '/x/a/F', 'a/../a/f']) expect(tells('a/f', other)).toBe(0);
  });
});
