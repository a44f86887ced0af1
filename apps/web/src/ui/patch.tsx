import { showInvisible } from '@cuebook/prompt';
import type { ReactNode } from 'react';
import { Scrolled } from './scrolled.js';

/** A unified diff: each line says by sign and colour whether it goes or comes. */
export function PatchView({ file, patch }: { readonly file?: string; readonly patch: string }): ReactNode {
  const lines = patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line, number) => ({ line, number }));
  return (
    <figure className="patch">
      {file !== undefined && <figcaption>{showInvisible(file)}</figcaption>}
      <Scrolled label={file === undefined ? 'Changes' : `Changes of ${showInvisible(file)}`}>
        {lines.map(({ line, number }) => (
          <div key={number} className={kindOf(line)}>
            {showInvisible(line) || ' '}
          </div>
        ))}
      </Scrolled>
    </figure>
  );
}

function kindOf(line: string): string {
  if (/^(?:---|\+\+\+|diff |index |new file|deleted file)/.test(line)) return 'head';
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
