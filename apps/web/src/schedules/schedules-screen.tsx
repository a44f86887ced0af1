import type { ScheduleView } from '@cuebook/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Ago } from '../ui/time.js';
import { meQuery, queries, schedulesQuery } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { AddSchedule } from './add-schedule.js';
import { cronWords } from './cron-words.js';

/** Runs that are begun by the clock. */
export function SchedulesScreen(): ReactNode {
  const { data: schedules, error } = useQuery(schedulesQuery);
  const { data: me } = useQuery(meQuery);
  const mayChange = me?.role === 'operator' || me?.role === 'owner';
  const [isAdding, setAdding] = useState(false);
  const { selected, listRef, keys } = useSelection((schedules ?? []).map(({ id }) => id));
  const chosen = schedules?.find(({ id }) => id === selected);
  const change = useMutation({
    mutationFn: async (work: () => Promise<unknown>) => {
      await work();
      await queries.invalidateQueries({ queryKey: ['schedules'] });
    },
  });
  const toggle = ({ id: schedule, paused }: ScheduleView) =>
    change.mutate(() =>
      need(paused ? server.resumeSchedule({ schedule }) : server.pauseSchedule({ schedule })),
    );
  useKeys('Schedules', [
    ...keys,
    ...(mayChange
      ? [
          { keys: 'a', label: 'Add a schedule', run: () => setAdding(true) },
          { keys: 'p', label: 'Pause or resume the selected one', run: () => chosen && toggle(chosen) },
        ]
      : []),
  ]);
  return (
    <section className="screen">
      <header className="screen-head">
        <h1>Schedules</h1>
        {mayChange && (
          <button type="button" className="main-button" onClick={() => setAdding(true)}>
            Add a schedule <kbd>a</kbd>
          </button>
        )}
      </header>
      <ProblemView error={error ?? change.error} />
      {schedules?.length === 0 && (
        <Empty title="There are no schedules.">
          <p>
            A schedule starts runs of a target at set times, on whichever server or worker is up. On a
            terminal: <code>cuebook schedule add TARGET --cron "0 9 * * 1-5"</code>
          </p>
        </Empty>
      )}
      <div className="rows" ref={listRef}>
        {schedules?.map((schedule) => (
          <ScheduleRow
            key={schedule.id}
            schedule={schedule}
            isSelected={schedule.id === selected}
            actions={
              mayChange && (
                <>
                  <button type="button" disabled={change.isPending} onClick={() => toggle(schedule)}>
                    {schedule.paused ? 'Resume' : 'Pause'}
                  </button>
                  <RemoveButton
                    isPending={change.isPending}
                    onRemove={() =>
                      change.mutate(() => need(server.removeSchedule({ schedule: schedule.id })))
                    }
                  />
                </>
              )
            }
          />
        ))}
      </div>
      {isAdding && <AddSchedule onClose={() => setAdding(false)} />}
    </section>
  );
}

function ScheduleRow(props: {
  readonly schedule: ScheduleView;
  readonly isSelected: boolean;
  readonly actions: ReactNode;
}): ReactNode {
  const { id, target, inputs, cron, zone, missed, by, paused, next, last } = props.schedule;
  return (
    <article className="row" data-key={id} data-selected={props.isSelected} aria-label={target}>
      <span className="row-main">
        <span className="strong">{plain(target)}</span>
        <span className="quiet">
          <code>{cron}</code> {plain(cronWords(cron))} {plain(zone)} · missed times: {MISSED[missed]} · by{' '}
          {plain(by)}
          {inputs.length > 0 && <> · sets {plain(inputs.join(', '))}</>}
        </span>
        <span className="quiet">
          {last === null && 'It has not started a run yet.'}
          {last !== null && last.run !== null && (
            <>
              Last:{' '}
              <Link to="/runs/$run" params={{ run: last.run }} search={{}}>
                {plain(last.run)}
              </Link>
              , <Ago at={last.time} />
            </>
          )}
          {last !== null && last.run === null && (
            <span className="bad">
              The last time could not start: <code>{last.code}</code>, <Ago at={last.time} />
            </span>
          )}
        </span>
      </span>
      <span className={paused ? 'status waiting' : 'status'}>
        {paused ? 'paused' : next === null ? 'no further time' : <NextTime at={next} />}
      </span>
      {props.actions}
    </article>
  );
}

/** What becomes of times at which nobody was up. */
const MISSED = { skip: 'skipped', last: 'the newest is made up', all: 'all are made up' } as const;

const NextTime = ({ at }: { readonly at: number }): ReactNode => (
  <time dateTime={new Date(at).toISOString()}>next {new Date(at).toLocaleString()}</time>
);

/** Asks once more before it removes. */
function RemoveButton(props: { readonly isPending: boolean; readonly onRemove: () => void }): ReactNode {
  const [isSure, setSure] = useState(false);
  return (
    <button
      type="button"
      disabled={props.isPending}
      onBlur={() => setSure(false)}
      onClick={() => (isSure ? props.onRemove() : setSure(true))}
    >
      {isSure ? 'Remove it?' : 'Remove'}
    </button>
  );
}
