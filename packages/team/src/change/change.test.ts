import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { applied } from './applied.js';
import { afterEdit, plannedEdits } from './edit.js';
import { patchOf } from './patch.js';

const BEFORE = 'one\ntwo\ntwo $& three\n';

describe('what a call would make of a file', () => {
  it.each([
    ['Write', { file_path: 'a', content: 'new\n' }, 'new\n'],
    ['write_file', { path: 'a', content: '' }, ''],
    ['edit', { path: 'a', content: 'new' }, 'new'],
    ['Edit', { file_path: 'a', old_string: 'two', new_string: '$&2' }, 'one\n$&2\ntwo $& three\n'],
    [
      'Edit',
      { file_path: 'a', old_string: 'two', new_string: '2', replace_all: true },
      'one\n2\n2 $& three\n',
    ],
    ['replace', { file_path: 'a', old_string: '$&', new_string: 'and' }, 'one\ntwo\ntwo and three\n'],
    [
      'MultiEdit',
      {
        file_path: 'a',
        edits: [
          { old_string: 'one', new_string: 'un' },
          { old_string: 'un\n', new_string: '' },
        ],
      },
      'two\ntwo $& three\n',
    ],
    ['delete_file', { path: 'a' }, null],
    ['fileChange', { changes: [{ path: 'a', kind: 'add', diff: 'made\n' }] }, 'made\n'],
    ['fileChange', { changes: [{ path: 'a', kind: 'delete' }] }, null],
    ['edit', { title: 'x', content: [{ type: 'diff', path: 'a', oldText: 'one', newText: 'un' }] }, 'un'],
  ])('%s %j', (tool, input, after) => {
    const edits = plannedEdits(tool, input);
    expect(edits.map(({ file }) => file)).toEqual(['a']);
    expect(edits.map((edit) => afterEdit(BEFORE, edit))).toEqual([after]);
  });

  it('is told by the agent itself where it has the difference', () => {
    const diff = '@@ -1,1 +1,1 @@\n-one\n+un\n';
    expect(plannedEdits('fileChange', { changes: [{ path: 'a', kind: 'update', diff }] })).toEqual([
      {
        ...{ kind: 'patch', file: 'a', patch: diff },
        from: ['/changes/0/path', '/changes/0/kind', '/changes/0/diff'],
      },
    ]);
  });

  it('a new file begins with nothing in the place of nothing', () => {
    const [edit] = plannedEdits('Edit', { file_path: 'a', old_string: '', new_string: 'new' });
    expect(edit && afterEdit(null, edit)).toBe('new');
    expect(edit && afterEdit(BEFORE, edit)).toBeUndefined();
  });

  it.each([
    ['Bash', { command: 'rm a', path: 'a', content: 'x' }],
    ['Write', { content: 'x' }],
    ['Write', 'a'],
    ['Write', null],
    ['Edit', { file_path: 'a', old_string: 'one' }],
    [
      'MultiEdit',
      { file_path: 'a', edits: [{ old_string: 'one', new_string: 'un' }, { old_string: 'two' }] },
    ],
    ['fileChange', { changes: [{ path: 'a', kind: 'add', diff: 'x' }, { path: 'b' }] }],
  ])('nothing is told of %s %j: a part would pass for the whole', (tool, input) => {
    expect(plannedEdits(tool, input)).toEqual([]);
  });

  it('what is not there cannot be replaced', () => {
    const [edit] = plannedEdits('Edit', { file_path: 'a', old_string: 'four', new_string: '4' });
    expect(edit && afterEdit(BEFORE, edit)).toBeUndefined();
    expect(edit && afterEdit(null, edit)).toBeUndefined();
  });

  it('says something of every input, whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('Write', 'Edit', 'fileChange', 'delete'), fc.json(), (tool, json) => {
        const input = JSON.parse(json);
        for (const edit of plannedEdits(tool, input)) afterEdit(BEFORE, edit);
        for (const key of ['changes', 'content', 'edits']) plannedEdits(tool, { path: 'a', [key]: [input] });
      }),
      runs(200, 20_000),
    );
  });
});

describe('the difference that a person reads', () => {
  it('names what goes and what comes, with the lines around it', () => {
    expect(patchOf('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n')).toBe(
      '@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f',
    );
    expect(patchOf(null, 'a\n\nb\n')).toBe('+a\n+\n+b');
    expect(patchOf('a\nb\n', null)).toBe('-a\n-b');
    expect(patchOf('same\n', 'same\n')).toBe('');
    expect(patchOf(null, 'a\nb')).toBe('+a\n+b\n\\ No newline at end of file');
  });

  it('leads from the one text to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', '+', '-x', '@@ -1 +1 @@', '\\ No'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, text, fc.boolean(), fc.boolean(), (old, now, oldEnd, nowEnd) => {
        const before = old.join('\n') + (oldEnd ? '\n' : '');
        const after = now.join('\n') + (nowEnd ? '\n' : '');
        const patch = patchOf(before, after);
        expect(applyPatch(before, `--- a\n+++ b\n${patch}\n`)).toBe(after);
        expect(applied(before, patch)).toBe(after);
        expect(applied(null, patchOf(null, after))).toBe(after);
      }),
      runs(300, 30_000),
    );
  });

  it('of texts that have nothing in common everything goes and comes', () => {
    const lines = (word: string) =>
      Array.from({ length: 5_000 }, (_, index) => `${word} ${index}\n`).join('');
    const patch = patchOf(lines('old'), lines('new')).split('\n');
    expect(patch).toHaveLength(10_000);
    expect([patch[0], patch[5_000]]).toEqual(['-old 0', '+new 0']);
  });
});
