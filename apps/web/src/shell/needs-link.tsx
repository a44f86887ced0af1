import type { ReactNode } from 'react';

/** The page was opened without the token of its server, or with one that is no longer right. */
export const NeedsLink = (): ReactNode => (
  <main className="alone">
    <h1>This page needs its link</h1>
    <p>
      Open the link that the server prints when it starts: it holds the token of this server. A token of your
      own goes behind its address, as <code>#token=TOKEN</code>. A token that was revoked opens nothing any
      more.
    </p>
    <p className="quiet">
      <code>cuebook up</code> prints it again.
    </p>
  </main>
);
