import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../test/runs.js';
import { patchOf } from '../src/tune/patch.js';

it('a patch makes one text of the other, as git reads it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-patch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''))
    .filter((each) => each !== '');
  fc.assert(
    fc.property(text, text, (before, after) => {
      writeFileSync(join(folder, 'a.md'), before);
      const patch = patchOf('a.md', before, after);
      if (before === after) expect(patch).toBe('');
      else execFileSync('git', ['apply', '--unidiff-zero', '-'], { cwd: folder, input: patch });
      expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe(after);
    }),
    runs(100, 500),
  );
});
