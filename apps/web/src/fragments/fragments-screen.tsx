import type { PromptLibraryView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Switch } from '../ui/switch.js';
import { fragmentsQuery } from '../wire/queries.js';
import { FragmentView } from './fragment-view.js';

const route = getRouteApi('/fragments');

/** The prompts that Agents of a cluster include: who includes each, and what a change would do to all of them. */
export function FragmentsScreen(): ReactNode {
  const { from = 'project', fragment } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error } = useQuery(fragmentsQuery(from));
  const found = data && findKey(data.libraries, fragment);
  return (
    <section className="screen library" data-chosen={found !== undefined}>
      <header className="screen-head">
        <h1>Fragments</h1>
        {found !== undefined && (
          <Link to="/fragments" search={{ from }} className="back">
            All fragments
          </Link>
        )}
        <Switch
          label="Read from"
          value={from}
          options={[
            { value: 'project', label: 'Manifests' },
            { value: 'cluster', label: 'Cluster' },
          ]}
          onChange={(next) => void navigate({ search: { from: next } })}
        />
      </header>
      {error && <ProblemView error={error} />}
      {data === undefined && !error && <p className="quiet">Reading the fragments …</p>}
      {data?.libraries.length === 0 && (
        <Empty title="No ConfigMap is labelled as a prompt library, and no Agent includes from one.">
          <p>
            Put manifests into <code>manifests/</code>, or start the server with{' '}
            <code>cuebook up --cluster</code>.
          </p>
        </Empty>
      )}
      {data !== undefined && data.libraries.length > 0 && (
        <div className="library-body">
          <nav className="target-list" aria-label="Fragments">
            {data.libraries.map((library) => (
              <LibraryList
                key={`${library.namespace}/${library.name}`}
                library={library}
                from={from}
                chosen={fragment}
              />
            ))}
          </nav>
          {found === undefined ? (
            <Empty title="Choose a fragment.">
              <p>You see every Agent that includes it, and what a change would do to each of them.</p>
            </Empty>
          ) : (
            <FragmentView key={`${from} ${fragment}`} from={from} {...found} />
          )}
        </div>
      )}
    </section>
  );
}

type LibraryKey = PromptLibraryView['keys'][number];

/** A fragment with the ConfigMap that holds it. */
export interface FoundFragment {
  readonly namespace: string;
  readonly name: string;
  readonly fragment: LibraryKey;
}

function findKey(
  libraries: readonly PromptLibraryView[],
  named: string | undefined,
): FoundFragment | undefined {
  for (const { namespace, name, keys } of libraries)
    for (const fragment of keys)
      if (`${namespace}/${name}/${fragment.key}` === named) return { namespace, name, fragment };
  return undefined;
}

function LibraryList(props: {
  readonly library: PromptLibraryView;
  readonly from: 'project' | 'cluster';
  readonly chosen: string | undefined;
}): ReactNode {
  const { library, from, chosen } = props;
  const { namespace, name, isLabelled, keys } = library;
  return (
    <section>
      <h2>
        {plain(`${namespace}/${name}`)} {!isLabelled && <span className="quiet">not labelled</span>}
      </h2>
      <ul>
        {keys.map(({ key, agents }) => {
          const fragment = `${namespace}/${name}/${key}`;
          return (
            <li key={key}>
              <Link
                to="/fragments"
                search={{ from, fragment }}
                aria-current={chosen === fragment ? 'page' : undefined}
              >
                {plain(key)} <span className="number">{agents.length}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
