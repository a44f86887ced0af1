import type { RenderedView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';

/** What is wrong with a prompt: where, what, and the code to look up. */
export function DiagnosticList(props: { readonly diagnostics: RenderedView['diagnostics'] }): ReactNode {
  const { diagnostics } = props;
  if (diagnostics.length === 0) return null;
  return (
    <ul className="diagnostics" aria-label="Problems">
      {diagnostics.map(({ code, severity, message, file, line }) => (
        <li
          key={`${code} ${file} ${line} ${message}`}
          className={severity === 'error' ? 'problem' : 'diagnostic'}
        >
          <span className="quiet">{plain([file, line].filter((part) => part !== undefined).join(':'))}</span>{' '}
          {plain(message)} <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
