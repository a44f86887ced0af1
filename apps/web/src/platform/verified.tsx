import type { ReactNode } from 'react';

/** Whether something verifies now, by sign, colour and word. */
export function VerifiedMark(props: {
  readonly verification:
    | { readonly ok: true }
    | { readonly ok: false; readonly error?: { readonly code: string; readonly reason: string } }
    | null;
}): ReactNode {
  const { verification } = props;
  if (verification === null) return <span className="quiet">nothing published</span>;
  if (verification.ok) return <span className="good">✓ verified</span>;
  const { error } = verification;
  return (
    <span className="bad">
      ✕ refused
      {error !== undefined && (
        <>
          : {error.reason} <code>{error.code}</code>
        </>
      )}
    </span>
  );
}
