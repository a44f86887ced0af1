import type { ReactNode } from 'react';
import { STATUS_SIGNS, statusWord } from './run-words.js';

/** How a run or an agent stands: a sign and a word. */
export const Status = ({ status }: { readonly status: string }): ReactNode => (
  <span className={`status ${status}`}>
    <span aria-hidden="true">{STATUS_SIGNS[status] ?? '○'}</span> {statusWord(status)}
  </span>
);
