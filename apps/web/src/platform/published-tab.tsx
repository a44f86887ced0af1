import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Heads } from '../ui/heads.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { Ago } from '../ui/time.js';
import { need, server } from '../wire/server.js';
import { bundleQuery, cardsQuery, lookAtPlatform } from './queries.js';
import { VerifiedMark } from './verified.js';

/** What is published for each agent, and whether it verifies now. Its words are shown only where it does. */
export function PublishedTab({ of }: { readonly of: string | undefined }): ReactNode {
  const { data, error } = useQuery(cardsQuery);
  const publish = useMutation({
    mutationFn: async () => {
      const report = await need(server.publish({}));
      await lookAtPlatform();
      return report;
    },
  });
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Reading the cards …</p>;
  const published = data.filter((card) => card.published !== undefined);
  return (
    <>
      <div className="buttons">
        <button type="button" disabled={publish.isPending} onClick={() => publish.mutate()}>
          Publish what is approved
        </button>
        <span role="status" className="quiet">
          {publish.data !== undefined &&
            `${counted(publish.data.published.length, 'agent')} published, ${publish.data.unchanged.length} as before, ${publish.data.left.length} left out.`}
        </span>
      </div>
      <ProblemView error={publish.error} />
      {published.length === 0 && (
        <Empty title="Nothing is published yet.">
          <p>A card is published when a reviewer has approved and signed it.</p>
        </Empty>
      )}
      <div className="waits">
        {published.map(({ agent }) => (
          <OneBundle key={agent} agent={agent} isOpen={agent === of} />
        ))}
      </div>
    </>
  );
}

function OneBundle({ agent, isOpen }: { readonly agent: string; readonly isOpen: boolean }): ReactNode {
  const { data, error } = useQuery(bundleQuery(agent));
  const again = useMutation({
    mutationFn: async () => {
      await need(server.publish({ agents: [agent], again: true }));
      await lookAtPlatform();
    },
  });
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Verifying {agent} …</p>;
  const { published, verification } = data;
  return (
    <article className="card" aria-label={`Published for ${agent}`}>
      <header>
        <h2>
          <Link to="/platform" search={{ tab: 'published', of: agent }}>
            {agent}
          </Link>{' '}
          <VerifiedMark verification={verification} />
        </h2>
        {published !== null && (
          <p className="quiet">
            bundle {published.version}, card {published.cardVersion}, <Ago at={published.at} />
          </p>
        )}
      </header>
      {verification?.ok === false && (
        <>
          <p>Agents refuse this and continue with the last valid version.</p>
          <div className="buttons">
            <button type="button" disabled={again.isPending} onClick={() => again.mutate()}>
              Publish it again
            </button>
          </div>
          <ProblemView error={again.error} />
        </>
      )}
      {verification?.ok === true && (
        <details open={isOpen}>
          <summary>Its content, from the verified objects</summary>
          <Verbatim label={`Base prompt of ${agent}`} text={verification.basePrompt} />
          <Verbatim label={`Prompt view of ${agent}`} text={verification.promptView} />
          <table>
            <Heads names={['Scenario', 'Version', 'temperature', 'max_tokens', 'top_p', 'Cohort']} />
            <tbody>
              {verification.scenarios.map(({ id, version, preset }) => (
                <tr key={id}>
                  <td>{plain(id)}</td>
                  <td>{version}</td>
                  <td>{preset.temperature}</td>
                  <td>{preset.max_tokens}</td>
                  <td>{preset.top_p}</td>
                  <td>{plain(verification.cohorts[id] ?? '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </article>
  );
}
