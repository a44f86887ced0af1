import type { LibraryVersionView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { versionsQuery } from './queries.js';
import { WordsDiff } from './words-diff.js';

/** Scenarios of the library: the version and preset that count, other ones, and whom another one would reach. */
export function VersionsTab(): ReactNode {
  const { data, error } = useQuery(versionsQuery);
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Reading the library …</p>;
  if (data.length === 0)
    return (
      <Empty title="The library lists no scenario.">
        <p>
          Versions are written, reviewed and signed with <code>cuebook library</code>.
        </p>
      </Empty>
    );
  return (
    <div className="waits">
      {[...new Set(data.map(({ id }) => id))].map((id) => (
        <Scenario key={id} versions={data.filter((each) => each.id === id)} />
      ))}
    </div>
  );
}

function Scenario({ versions }: { readonly versions: readonly LibraryVersionView[] }): ReactNode {
  const active = versions.find((each) => each.active) ?? versions[0];
  const [other, setOther] = useState<number>();
  const id = useId();
  if (active === undefined) return null;
  const compared = versions.find(({ version }) => version === other);
  const { temperature, max_tokens: maxTokens, top_p: topP } = active.preset;
  return (
    <article className="card" aria-label={`Scenario ${plain(active.id)}`}>
      <header>
        <h2>
          {plain(active.id)} <span className="quiet">version {active.version} is active</span>
        </h2>
        <p className="quiet">{plain(active.summary)}</p>
      </header>
      <dl className="labels">
        <dt>preset</dt>
        <dd>
          temperature {temperature}, max_tokens {maxTokens}, top_p {topP}
        </dd>
        <dt>takes</dt>
        <dd>{plain(active.placeholders.join(', ')) || 'nothing'}</dd>
        <dt>reaches</dt>
        <dd>
          {counted(active.agents.length, 'agent')}
          {active.agents.length > 0 && ` (${plain(active.agents.slice(0, 10).join(', '))})`}
        </dd>
      </dl>
      <details>
        <summary>Its template</summary>
        <Verbatim label={`Template of ${plain(active.id)}`} text={active.template} />
      </details>
      {versions.length > 1 && (
        <div className="field">
          <label htmlFor={id}>Compare with version</label>
          <select
            id={id}
            value={other ?? ''}
            onChange={({ target }) => setOther(target.value === '' ? undefined : Number(target.value))}
          >
            <option value="">none</option>
            {versions
              .filter(({ version }) => version !== active.version)
              .map(({ version, status, agents }) => (
                <option key={version} value={version}>
                  {version} ({status}, {counted(agents.length, 'agent')})
                </option>
              ))}
          </select>
        </div>
      )}
      {compared !== undefined && (
        <>
          <p>
            {active.agents.length === 0
              ? 'No agent’s prompt would change.'
              : `${counted(active.agents.length, 'agent')} would get a different prompt: ${plain(active.agents.join(', '))}.`}
          </p>
          <WordsDiff
            file={`${active.id}, version ${active.version} and ${compared.version}`}
            before={active.template}
            after={compared.template}
          />
        </>
      )}
    </article>
  );
}
