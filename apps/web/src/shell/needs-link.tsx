import { type ReactNode, useEffect, useState } from 'react';
import { beginSignIn, endSignIn, findProvider, isBack } from '../wire/sign-in.js';

/** The page was opened without a token of its server, or with one that is no longer right. */
export function NeedsLink(): ReactNode {
  const [isEnding, setEnding] = useState(isBack);
  const [provider, setProvider] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const look = async () => {
      const wrong = isBack() ? await endSignIn() : undefined;
      setProblem(wrong);
      setEnding(false);
      setProvider(await findProvider());
    };
    void look();
  }, []);
  if (isEnding) return <main className="alone">Signing in…</main>;
  return (
    <main className="alone">
      <h1>{provider === null ? 'This page needs its link' : 'Sign in'}</h1>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {provider !== null && (
        <p>
          <button type="button" onClick={() => void beginSignIn().then(setProblem)}>
            Sign in with {provider}
          </button>
        </p>
      )}
      <p className={provider === null ? undefined : 'quiet'}>
        {provider === null ? 'Open' : 'Or open'} the link that the server prints when it starts: it contains
        the token of this server. Append a token of your own to its address, as <code>#token=TOKEN</code>. A
        revoked token no longer works.
      </p>
      <p className="quiet">
        <code>cuebook up</code> prints it again.
      </p>
    </main>
  );
}
