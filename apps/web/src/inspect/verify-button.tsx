import type { TurnView } from '@cuebook/api';
import { type ReactNode, useState } from 'react';
import { hashHere } from './verify.js';

/** Recomputes the hash of the prompt in this browser and compares it with the receipt. */
export function VerifyButton({ request }: { readonly request: TurnView['full'] }): ReactNode {
  const [found, setFound] = useState<string>();
  if (request.masked) return <span className="quiet">Masked words cannot be verified.</span>;
  const isSame = found === request.hash;
  return (
    <>
      <button type="button" onClick={() => void hashHere(request.text).then(setFound)}>
        Verify here
      </button>
      <span role="status" className={found === undefined ? 'quiet' : isSame ? 'good' : 'bad'}>
        {found !== undefined && (isSame ? '✓ the same hash: ' : '✕ another hash than on record: ')}
        <code title={request.hash}>{request.hash.slice(0, 19)}…</code>
      </span>
    </>
  );
}
