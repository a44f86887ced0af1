import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Heads } from '../ui/heads.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { CardEditor } from './card-editor.js';
import { cardsQuery } from './queries.js';

/** Every card with where it stands; one of them, or a new one, in the editor. */
export function CardsTab({ of }: { readonly of: string | undefined }): ReactNode {
  const { data, error } = useQuery(cardsQuery);
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Reading the cards …</p>;
  const card = data.find(({ agent }) => agent === of);
  if (of !== undefined)
    return (
      <>
        <Link to="/platform" search={{ tab: 'cards' }}>
          All cards
        </Link>
        <CardEditor key={`${of} ${card?.cardVersion}`} card={card} />
      </>
    );
  return (
    <>
      <div className="buttons">
        <Link to="/platform" search={{ tab: 'cards', of: 'new' }}>
          Write a new card
        </Link>
      </div>
      {data.length === 0 ? (
        <Empty title="There is no card yet.">
          <p>A card says who an agent is. Write one: you see the prompt text that models will get from it.</p>
        </Empty>
      ) : (
        <table>
          <Heads names={['Agent', 'Owner', 'Version', 'Review', 'Admission']} />
          <tbody>
            {data.map(({ agent, draft, owner, cardVersion, status, signed, reason, admission }) => (
              <tr key={agent}>
                <td>
                  <Link to="/platform" search={{ tab: 'cards', of: agent }}>
                    {plain(draft.name)}
                  </Link>{' '}
                  <span className="quiet">{agent}</span>
                </td>
                <td>{plain(owner)}</td>
                <td>{cardVersion}</td>
                <td className={status === 'approved' ? 'good' : status === 'rejected' ? 'bad' : undefined}>
                  {status}
                  {status === 'approved' && !signed && ', not signed'}
                  {reason !== undefined && <span className="quiet"> {plain(reason)}</span>}
                </td>
                <td>{admission}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
