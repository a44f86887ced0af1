import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { libraryQuery } from '../wire/queries.js';
import { DiagnosticList } from './diagnostic-list.js';
import type { LibrarySearch } from './search.js';
import { TargetView } from './target-view.js';

const route = getRouteApi('/library');

/** The prompts of the project: what there is, and one of them as it is written and as it is composed. */
export function LibraryScreen(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [words, setWords] = useState('');
  const { data, error } = useQuery(libraryQuery);
  const go = (change: LibrarySearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet screen">Reading the project …</p>;
  const shown = data.targets.filter(({ target }) => target.toLowerCase().includes(words.toLowerCase()));
  const kinds = [...new Set(shown.map(({ kind }) => kind))];
  return (
    <section className="screen library" data-chosen={search.target !== undefined}>
      <header className="screen-head">
        <h1>Library</h1>
        {search.target !== undefined && (
          <Link to="/library" search={{}} className="back">
            All prompts
          </Link>
        )}
      </header>
      {data.targets.length === 0 ? (
        <Empty title="This project has no prompts yet.">
          <p>
            Put a role template into <code>docs/templates/</code> or a sheet into <code>sheets/</code>, or run{' '}
            <code>cuebook init</code>.
          </p>
        </Empty>
      ) : (
        <div className="library-body">
          <nav className="target-list" aria-label="Prompts">
            <input
              aria-label="Filter"
              type="search"
              placeholder="Filter"
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            {kinds.map((kind) => (
              <section key={kind}>
                <h2>{KINDS[kind] ?? kind}</h2>
                <ul>
                  {shown
                    .filter((each) => each.kind === kind)
                    .map(({ target, name }) => (
                      <li key={target}>
                        <Link
                          to="/library"
                          search={{ target }}
                          aria-current={search.target === target ? 'page' : undefined}
                        >
                          {plain(name)}
                        </Link>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
            <DiagnosticList diagnostics={data.diagnostics} />
          </nav>
          {search.target === undefined ? (
            <Empty title="Choose a prompt.">
              <p>You see its sources and the exact request that would be sent to a model.</p>
            </Empty>
          ) : (
            <TargetView key={search.target} target={search.target} search={search} onGo={go} />
          )}
        </div>
      )}
    </section>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  sheet: 'Sheets',
  role: 'Role templates',
  team: 'Teams',
  prompt: 'Prompt definitions',
  agent: 'Agent definitions',
  manifest: 'Manifests',
  workflow: 'Workflow packages',
  scenario: 'Scenarios',
};
