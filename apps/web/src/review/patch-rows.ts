/** A line of a diff, with its number on each side where it has one. */
export interface PatchRow {
  readonly kind: 'head' | 'hunk' | 'added' | 'removed' | 'same';
  /** Without the sign. */
  readonly text: string;
  readonly old: number | null;
  readonly now: number | null;
}

/** Reads a unified diff of one file. */
export function patchRows(patch: string): readonly PatchRow[] {
  let [old, now, isInside] = [0, 0, false];
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line): PatchRow => {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
      if (hunk) {
        [old, now, isInside] = [Number(hunk[1]), Number(hunk[2]), true];
        return { kind: 'hunk', text: line, old: null, now: null };
      }
      if (!isInside || line.startsWith('\\')) return { kind: 'head', text: line, old: null, now: null };
      const text = line.slice(1);
      if (line.startsWith('+')) return { kind: 'added', text, old: null, now: now++ };
      if (line.startsWith('-')) return { kind: 'removed', text, old: old++, now: null };
      return { kind: 'same', text, old: old++, now: now++ };
    });
}

/** What a reader of one file's changes needs: lines, and heads that say more than the file's name. */
export const isTold = ({ kind, text }: PatchRow): boolean =>
  kind !== 'head' || !/^(?:diff --git |index |--- |\+\+\+ )/.test(text);

/** Rows for two columns: what goes stands beside what comes in its place. */
export function pairRows(
  rows: readonly PatchRow[],
): readonly { readonly left: PatchRow | null; readonly right: PatchRow | null }[] {
  const pairs: { left: PatchRow | null; right: PatchRow | null }[] = [];
  let gone: PatchRow[] = [];
  let come: PatchRow[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1)
      pairs.push({ left: gone[at] ?? null, right: come[at] ?? null });
    [gone, come] = [[], []];
  };
  for (const row of rows) {
    if (row.kind === 'removed' && come.length > 0) flush();
    if (row.kind === 'removed') gone.push(row);
    else if (row.kind === 'added') come.push(row);
    else {
      flush();
      pairs.push({ left: row, right: row });
    }
  }
  flush();
  return pairs;
}
