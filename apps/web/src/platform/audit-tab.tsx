import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Heads } from '../ui/heads.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { need, server } from '../wire/server.js';

const PAGE = 200;

/** Admissions, credentials, reviews, publications and tokens, as the record of the platform has them. */
export function AuditTab(): ReactNode {
  const [agent, setAgent] = useState('');
  const id = useId();
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['platform', 'audit', agent],
    queryFn: ({ pageParam }) =>
      need(server.readAudit({ after: pageParam, limit: PAGE, ...(agent !== '' && { agent }) })),
    initialPageParam: 0,
    getNextPageParam: ({ entries }) => (entries.length < PAGE ? undefined : entries.at(-1)?.position),
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <div className="field">
        <label htmlFor={id}>Of one agent</label>
        <input id={id} value={agent} onChange={({ target }) => setAgent(target.value.trim())} />
      </div>
      <ProblemView error={error} />
      {data !== undefined && entries.length === 0 && (
        <Empty title="Nothing is recorded.">
          <p>Every review, publication, admission and credential is recorded here before it takes effect.</p>
        </Empty>
      )}
      {entries.length > 0 && (
        <table>
          <Heads names={['When', 'What', 'Agent', 'Of it']} />
          <tbody>
            {entries.map(({ position, at, type, agent: of = '', data: facts }) => (
              <tr key={position}>
                <td>{new Date(at).toLocaleString()}</td>
                <td>{plain(type)}</td>
                <td>{of}</td>
                <td className="quiet">{plain(factsText(facts))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()}>
          Later entries
        </button>
      )}
    </>
  );
}

/** What an entry says in a few words: its plain values. */
const factsText = (facts: Readonly<Record<string, unknown>>): string =>
  Object.entries(facts)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
