import type { ReactNode } from 'react';
import { plain } from './plain.js';

/** A unified diff: each line says by sign and colour whether it goes or comes. */
export function Patch({ file, patch }: { readonly file?: string; readonly patch: string }): ReactNode {
  const lines = patch.replace(/\n$/, '').split('\n');
  return (
    <figure className="patch">
      {file !== undefined && <figcaption>{plain(file)}</figcaption>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable from the keyboard. */}
      <section tabIndex={0} aria-label={file === undefined ? 'Changes' : `Changes of ${plain(file)}`}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a patch never move.
          <div key={index} className={kindOf(line)}>
            {plain(line) || ' '}
          </div>
        ))}
      </section>
    </figure>
  );
}

function kindOf(line: string): string {
  if (/^(?:---|\+\+\+|diff |index |new file|deleted file)/.test(line)) return 'head';
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
