import { showInvisible } from '@cuebook/prompt';
import type { ReactNode } from 'react';
import { plain } from './plain.js';
import { Scrolled } from './scrolled.js';

/** Words of somebody else, as they are: never markup, in a direction of their own. */
export function Foreign({
  text,
  className,
}: {
  readonly text: string;
  readonly className?: string;
}): ReactNode {
  return (
    <bdi dir="auto" className={className}>
      {plain(text)}
    </bdi>
  );
}

/** Text whose lines and spaces count. It can be scrolled from the keyboard. */
export function Verbatim({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <Scrolled className="verbatim" label={label}>
      <pre dir="auto">{plain(text)}</pre>
    </Scrolled>
  );
}

/** The same of what somebody decides about: nothing of it is taken away, and every character that nobody sees is shown. */
export function Exact({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <Scrolled className="verbatim" label={label}>
      <pre dir="auto">{showInvisible(text)}</pre>
    </Scrolled>
  );
}
