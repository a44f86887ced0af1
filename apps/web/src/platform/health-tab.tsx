import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Heads } from '../ui/heads.js';
import { ProblemView } from '../ui/problem.js';
import { healthQuery } from './queries.js';

/** What stops counting when, the first first, with what to do about it; and which keys speak for which role. */
export function HealthTab(): ReactNode {
  const { data, error } = useQuery(healthQuery);
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Loading keys and certificates …</p>;
  return (
    <>
      <h2>What expires</h2>
      <table>
        <Heads names={['What', 'Agent', 'Counts until', 'State', 'Who acts', 'What to do']} />
        <tbody>
          {data.expiries.map(({ what, agent = '', expires, state, who, command }) => (
            <tr key={`${what} ${agent}`}>
              <td>{what}</td>
              <td>{agent}</td>
              <td>{expires === null ? 'not there' : new Date(expires).toLocaleString()}</td>
              <td className={state === 'good' ? 'good' : state === 'soon' ? 'soon' : 'bad'}>
                {STATES[state]}
              </td>
              <td>{who}</td>
              <td>{state === 'good' ? '' : <code>{command}</code>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Who signs</h2>
      <table>
        <Heads names={['Role', 'Must agree', 'Keys']} />
        <tbody>
          {data.roles.map(({ role, keys, threshold }) => (
            <tr key={role}>
              <td>{role}</td>
              <td>
                {threshold} of {keys.length}
              </td>
              <td>
                {keys.map((key) => (
                  <code key={key} title={key}>
                    {key.slice(0, 16)}…{' '}
                  </code>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const STATES = { good: 'good', soon: 'soon', expired: 'expired' } as const;
