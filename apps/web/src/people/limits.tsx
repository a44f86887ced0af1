import type { QuotaUseView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Heads } from '../ui/heads.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { ownQuotaQuery, quotasQuery } from '../wire/queries.js';

/** What the project and its people may spend, and what they have spent. Others than owners see their own. */
export function Limits({ isOwner }: { readonly isOwner: boolean }): ReactNode {
  const all = useQuery({ ...quotasQuery, enabled: isOwner });
  const own = useQuery({ ...ownQuotaQuery, enabled: !isOwner });
  const uses = (isOwner ? all.data?.uses : own.data) ?? [];
  const error = all.error ?? own.error;
  if (uses.length === 0 && (!isOwner || all.data === undefined)) return <ProblemView error={error} />;
  return (
    <section className="limits" aria-label="Limits">
      <h2>Limits</h2>
      <ProblemView error={error} />
      {uses.length > 0 && <LimitTable uses={uses} />}
      {isOwner && (
        <p className="quiet">
          {uses.length === 0 && 'There are no limits on what the project and its people may spend. '}
          Set one on a terminal: <code>cuebook quota set person:NAME --usd-day 20</code>
        </p>
      )}
    </section>
  );
}

function LimitTable({ uses }: { readonly uses: readonly QuotaUseView[] }): ReactNode {
  return (
    <table>
      <Heads names={['Whose', 'Limit', 'Used', 'Reserved', 'Left']} />
      <tbody>
        {uses.map(({ subject, limit, max, spent, reserved, left, frees }) => (
          <tr key={`${subject} ${limit}`}>
            <td>{plain(subject.replace(/^person:/, ''))}</td>
            <td>
              {amount(max, limit)} {limitText(limit, max)}
            </td>
            <td>{amount(limit === 'runsAtOnce' ? reserved : spent, limit)}</td>
            <td>{limit.startsWith('runs') ? '' : amount(reserved, limit)}</td>
            <td>
              {amount(left, limit)}
              {left === 0 && frees !== null && ` until ${new Date(frees).toLocaleString()}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const limitText = (limit: string, max: number): string => {
  const text = TEXTS[limit] ?? limit;
  return max === 1 ? text.replace(/^(token|run)s\b/, '$1') : text;
};

const TEXTS: Readonly<Record<string, string>> = {
  usdPerDay: 'a day',
  usdPerMonth: 'a month',
  tokensPerDay: 'tokens a day',
  tokensPerMonth: 'tokens a month',
  runsPerDay: 'runs a day',
  runsAtOnce: 'runs at once',
};

const amount = (value: number, limit: string): string =>
  limit.startsWith('usd')
    ? `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`
    : value.toLocaleString('en');
