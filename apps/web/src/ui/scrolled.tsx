import type { ReactNode } from 'react';

/** What can be scrolled can be reached from the keyboard, and has a name. */
export const Scrolled = (props: {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}): ReactNode => (
  <section className={props.className ?? 'scrolled'} {...FOCUSABLE} aria-label={props.label}>
    {props.children}
  </section>
);

const FOCUSABLE = { tabIndex: 0 } as const;
