import type { Io } from '../io.js';

/** The address of a server as it is told beside what a command prints. The link is a key: only a terminal is shown it. */
export const shownLink = (
  { url, link }: { readonly url: string; readonly link: string },
  { terminal }: Pick<Io, 'terminal'>,
): string => (terminal.err ? link : `${url}/#`);
