import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Heads } from '../ui/heads.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Ago } from '../ui/time.js';
import { fleetQuery } from './queries.js';
import { VerifiedMark } from './verified.js';

/** Who has what, whether it holds, and when each agent was last seen. */
export function FleetTab(): ReactNode {
  const [after, setAfter] = useState<string>();
  const { data, error } = useQuery(fleetQuery(after));
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Verifying what every agent would download …</p>;
  const failing = data.members.filter(({ verification }) => verification?.ok === false).length;
  if (data.members.length === 0)
    return (
      <Empty title="There is no agent yet.">
        <p>Write a card, have it reviewed, and publish it.</p>
      </Empty>
    );
  return (
    <>
      <p className={failing > 0 ? 'bad' : 'quiet'}>
        {failing === 0
          ? 'Everything that is published verifies.'
          : `${failing} of these agents would refuse what is published for them.`}
      </p>
      <table>
        <Heads
          names={[
            'Agent',
            'Owner',
            'Admission',
            'Has',
            'Now',
            'It uses',
            'It refused last',
            'Last seen',
            'Refusals',
          ]}
        />
        <tbody>
          {data.members.map(
            ({ agent, owner, admission, published, verification, seenAt, refused, state, failure }) => (
              <tr key={agent}>
                <td>
                  <Link to="/platform" search={{ tab: 'cards', of: agent }}>
                    {agent}
                  </Link>
                </td>
                <td>{plain(owner)}</td>
                <td>{admission}</td>
                <td>
                  {published === null ? '' : `bundle ${published.version}, card ${published.cardVersion}`}
                </td>
                <td>
                  <VerifiedMark
                    verification={
                      verification?.ok === false ? { ok: false, error: verification } : verification
                    }
                  />
                </td>
                <td className={state === 'behind' ? 'bad' : 'quiet'}>{USES[state]}</td>
                <td>{failure === null ? '' : `${failure.reason}: ${plain(failure.object)}`}</td>
                <td>{seenAt === null ? <span className="quiet">never</span> : <Ago at={seenAt} />}</td>
                <td>{refused}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {data.more && (
        <button type="button" onClick={() => setAfter(data.members.at(-1)?.agent)}>
          The next agents
        </button>
      )}
    </>
  );
}

const USES = { current: 'what is published', behind: 'something else', unknown: 'not known' } as const;
