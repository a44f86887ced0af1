/** The part of a unified diff that is about one file. */
export interface FilePatch {
  readonly file: string;
  readonly patch: string;
  readonly added: number;
  readonly removed: number;
}

/** Splits a diff of several files. A text that is no diff of git is one part without a name. */
export function splitPatch(text: string): readonly FilePatch[] {
  const parts = text.split(/^(?=diff --git )/m).filter((part) => part !== '');
  return parts.map((patch) => {
    const lines = patch.split('\n');
    const body = lines.slice(
      Math.max(
        0,
        lines.findIndex((line) => line.startsWith('@@')),
      ),
    );
    return {
      file: nameOf(lines),
      patch,
      added: body.filter((line) => line.startsWith('+')).length,
      removed: body.filter((line) => line.startsWith('-')).length,
    };
  });
}

function nameOf(lines: readonly string[]): string {
  const find = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length);
  return find('+++ b/') ?? find('--- a/') ?? / b\/(.+)$/.exec(lines[0] ?? '')?.[1] ?? 'changes';
}
