import type { ReactNode } from 'react';
import { RefusedRequest } from '../wire/server.js';
import { plain } from './plain.js';

/** What went wrong: the sentence of the server, and its code to look up. */
export function ProblemView({ error }: { readonly error: unknown }): ReactNode {
  if (error === null || error === undefined) return null;
  const { code, message } =
    error instanceof RefusedRequest
      ? error.error
      : { code: undefined, message: 'The page could not do this.' };
  const diagnostics = error instanceof RefusedRequest ? (error.error.diagnostics ?? []) : [];
  return (
    <div className="problem" role="alert">
      <p>
        {plain(message)} {code !== undefined && <code>{code}</code>}
      </p>
      {diagnostics.length > 1 && (
        <ul>
          {diagnostics.map((each) => (
            <li key={`${each.code} ${each.file} ${each.line} ${each.message}`}>
              {plain([each.file, each.line].filter((part) => part !== undefined).join(':'))}{' '}
              {plain(each.message)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A screen without anything in it says what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      <div>{children}</div>
    </div>
  );
}
