import type { PersonView } from '@cuebook/api';
import { type ReactNode, useState } from 'react';
import { plain } from '../ui/plain.js';

/** A token that the server tells once. */
export interface ToldTokenView {
  readonly name: string;
  readonly role: PersonView['role'];
  readonly token: string;
}

/** Shows a token until it is put away; it is not shown again. */
export function ToldToken(props: { readonly told: ToldTokenView; readonly onClose: () => void }): ReactNode {
  const { name, token } = props.told;
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(token).then(() => setCopied(true));
  return (
    <article className="card" role="status" aria-label={`Token of ${name}`}>
      <p>
        The token of <span className="strong">{plain(name)}</span>. It is shown once: treat it like any other
        secret.
      </p>
      <input readOnly aria-label="Token" value={token} onFocus={(event) => event.target.select()} />
      <div className="buttons">
        <button type="button" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" onClick={props.onClose}>
          Hide the token
        </button>
      </div>
    </article>
  );
}
