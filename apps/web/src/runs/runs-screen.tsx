import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';

import { Empty, ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { Ago } from '../ui/time.js';
import { runsQuery } from '../wire/queries.js';
import { kindWords, runTitle } from './run-words.js';
import { Status } from './status.js';

/** Runs of every kind, the newest first. */
export function RunsScreen(): ReactNode {
  const { data: runs, error } = useQuery(runsQuery);
  const [words, setWords] = useState('');
  const navigate = useNavigate();
  const shown = (runs ?? []).filter((run) =>
    `${runTitle(run)} ${run.kind} ${run.status} ${run.run}`.toLowerCase().includes(words.toLowerCase()),
  );
  const kindOf = (id: string) => shown.find(({ run }) => run === id)?.kind ?? '';
  const { selected, listRef, keys } = useSelection(shown.map(({ run }) => run));
  useKeys('Runs', [
    ...keys,
    {
      keys: 'o',
      label: 'Open the run',
      run: () =>
        selected && void navigate({ to: screenOf(kindOf(selected)), params: { run: selected }, search: {} }),
    },
  ]);
  return (
    <section className="screen">
      <header className="screen-head">
        <h1>Runs</h1>
        <input
          type="search"
          aria-label="Only runs that match"
          placeholder="Filter"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </header>
      <ProblemView error={error} />
      {runs?.length === 0 && (
        <Empty title="No run yet.">
          <p>
            <Link to="/start">Start work</Link>, or type <code>cuebook run</code> in a terminal.
          </p>
        </Empty>
      )}
      <div className="rows" ref={listRef}>
        {shown.map((run) => (
          <Link
            key={run.run}
            to={screenOf(run.kind)}
            params={{ run: run.run }}
            search={{}}
            className="row"
            data-key={run.run}
            data-selected={run.run === selected}
          >
            <span className="row-main">
              <Foreign text={runTitle(run)} className="strong" />
              <span className="quiet">
                {kindWords(run.kind, run.turns, run.nodes)}
                {run.rehearsal && ' · rehearsal'}
              </span>
            </span>
            {run.needs > 0 && <span className="number">{run.needs} for you</span>}
            <Status status={run.status} />
            <span className="quiet nowrap">
              <Ago at={run.lastAt} />
            </span>
          </Link>
        ))}
      </div>
    </section>
  );
}

/** What a run is looked at by: an eval by what it came to. */
const screenOf = (kind: string) => (kind === 'eval' ? '/runs/$run/comparison' : '/runs/$run');
