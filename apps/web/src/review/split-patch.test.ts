import { describe, expect, it } from 'vitest';
import { splitPatch } from './split-patch.js';

const PATCH = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 same
-old
+new
+--- not a head
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/p.png b/p.png
Binary files differ
`;

describe('splitPatch', () => {
  it('tells files, and counts the lines that come and go', () => {
    expect(splitPatch(PATCH).map(({ file, added, removed }) => [file, added, removed])).toEqual([
      ['a.txt', 2, 1],
      ['gone', 0, 1],
      ['p.png', 0, 0],
    ]);
    expect(
      splitPatch(PATCH)
        .map(({ patch }) => patch)
        .join(''),
    ).toBe(PATCH);
  });

  it('has nothing for nothing', () => expect(splitPatch('')).toEqual([]));
});
