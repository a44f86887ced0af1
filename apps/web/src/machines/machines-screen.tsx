import type { WorkerView, WorkView } from '@cuebook/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Ago, durationWords } from '../ui/time.js';
import { meQuery, queries, workQuery } from '../wire/queries.js';
import { need, server } from '../wire/server.js';

/** Who works on the runs, what each has, and what is left to do. */
export function MachinesScreen(): ReactNode {
  const { data, error } = useQuery(workQuery);
  const { data: me } = useQuery(meQuery);
  const mayDrain = me?.role === 'operator' || me?.role === 'owner';
  const { selected, listRef, keys } = useSelection((data?.workers ?? []).map(({ id }) => id));
  useKeys('Machines', keys);
  return (
    <section className="screen">
      <header className="screen-head">
        <h1>Machines</h1>
      </header>
      <ProblemView error={error} />
      {data === undefined && !error && <p className="quiet">Loading machines …</p>}
      {data !== undefined && <WorkNumbers work={data} />}
      {data !== undefined && !data.isShared && (
        <p className="quiet">
          One process works on all runs. To share them between machines, start the server with{' '}
          <code>CUEBOOK_DATABASE_URL</code>, and <code>cuebook worker</code> on each machine.
        </p>
      )}
      <div className="rows" ref={listRef}>
        {data?.workers.map((worker) => (
          <WorkerRow
            key={worker.id}
            worker={worker}
            isSelected={worker.id === selected}
            mayDrain={mayDrain && worker.role === 'worker'}
          />
        ))}
      </div>
    </section>
  );
}

/** What is open, queued and waited for. */
function WorkNumbers({ work }: { readonly work: WorkView }): ReactNode {
  const { running, queued, waits, oldestApprovalMs, isShared } = work;
  const depth = sumOf(queued);
  const oldest = Math.max(0, ...queued.map(({ oldestMs }) => oldestMs));
  return (
    <article className="card" aria-label="Work left">
      <dl className="labels">
        <dt>runs at work</dt>
        <dd>
          {sumOf(running)}
          {running.length > 0 && <span className="quiet"> {byKind(running)}</span>}
        </dd>
        {isShared && <dt>runs in the queue</dt>}
        {isShared && (
          <dd>
            {depth}
            {depth > 0 && <span className="soon"> the first has waited {durationWords(oldest)}</span>}
          </dd>
        )}
        <dt>waits for a person</dt>
        <dd>
          <Link to="/">{sumOf(waits)}</Link>
          {oldestApprovalMs > 0 && (
            <span className="quiet"> the oldest question has waited {durationWords(oldestApprovalMs)}</span>
          )}
        </dd>
      </dl>
      {queued.length > 0 && (
        <ul className="plain-list" aria-label="Queue">
          {queued.map(({ kind, label, count, oldestMs }) => (
            <li key={`${kind} ${label}`}>
              {counted(count, 'run')} of kind {plain(kind)}
              {label !== null && (
                <>
                  {' '}
                  that need the label <code>{plain(label)}</code>
                </>
              )}
              <span className="quiet">, waiting for up to {durationWords(oldestMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

const sumOf = (rows: readonly { readonly count: number }[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);
const byKind = (rows: WorkView['running']): string =>
  rows.map(({ kind, count }) => `${count} ${plain(kind)}`).join(', ');

function WorkerRow(props: {
  readonly worker: WorkerView;
  readonly isSelected: boolean;
  readonly mayDrain: boolean;
}): ReactNode {
  const { id, role, version, machine, pid, startedAt, slots, kinds, labels, runs, draining, isAsked } =
    props.worker;
  return (
    <article className="row" data-key={id} data-selected={props.isSelected} aria-label={id}>
      <span className="row-main">
        <span className="strong">
          {plain(id)} {isAsked && <span className="quiet">answers this page</span>}
        </span>
        <span className="quiet">
          {role} {plain(version)} on {plain(machine)}, process {pid}, started <Ago at={startedAt} />
          {labels.length > 0 && ` · labels ${plain(labels.join(', '))}`}
          {kinds.length > 0 && slots !== 0 && ` · takes ${plain(kinds.join(', '))}`}
        </span>
        {runs.length > 0 && (
          <span className="buttons">
            {runs.map((run) => (
              <Link key={run} to="/runs/$run" params={{ run }} search={{}}>
                {plain(run)}
              </Link>
            ))}
          </span>
        )}
      </span>
      <span className={draining ? 'status waiting' : 'status'}>
        {draining
          ? 'draining'
          : slots === null
            ? 'all runs'
            : slots === 0
              ? 'takes no runs'
              : `${runs.length} of ${slots} slots`}
      </span>
      {props.mayDrain && !draining && <DrainButton worker={id} />}
    </article>
  );
}

/** Asks once more: the process ends, and somebody must start it again. */
function DrainButton({ worker }: { readonly worker: string }): ReactNode {
  const [isSure, setSure] = useState(false);
  const drain = useMutation({
    mutationFn: async () => {
      await need(server.drainWorker({ worker }));
      await queries.invalidateQueries({ queryKey: ['work'] });
    },
  });
  const isAsked = drain.isPending || drain.isSuccess;
  return (
    <>
      <button
        type="button"
        disabled={isAsked}
        onBlur={() => setSure(false)}
        onClick={() => (isSure ? drain.mutate() : setSure(true))}
      >
        {isAsked ? 'Asked to end …' : isSure ? 'It ends. Drain it?' : 'Drain'}
      </button>
      <ProblemView error={drain.error} />
    </>
  );
}
