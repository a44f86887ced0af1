import type { JobView, PlatformView } from '@cuebook/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { need, server } from '../wire/server.js';
import { jobsQuery, lookAtPlatform } from './queries.js';

/** What the server asks a model for on its own, and the public events that came of it. */
export function ScheduleTab({ platform }: { readonly platform: PlatformView }): ReactNode {
  const { data, error } = useQuery(jobsQuery);
  const make = useMutation({
    mutationFn: async () => {
      await need(server.makeEvent({}));
      await lookAtPlatform();
    },
  });
  return (
    <div className="waits">
      <ProblemView error={error} />
      {data?.map((job) => (
        <Job key={job.job} job={job} />
      ))}
      <article className="card" aria-label="Public events">
        <header>
          <h2>Public events</h2>
          <p className="quiet">One theme a week. A second request in the same week shows the same event.</p>
        </header>
        <div className="buttons">
          <button type="button" disabled={make.isPending} onClick={() => make.mutate()}>
            {make.isPending ? 'Asking the model …' : 'Generate the event of this week'}
          </button>
        </div>
        <ProblemView error={make.error} />
        {platform.events.length === 0 && <p className="quiet">There was no event yet.</p>}
        {platform.events.map(({ week, event }) => (
          <section key={week} aria-label={`Event of the week of ${week}`}>
            <h3>
              <Foreign text={event.theme} /> <span className="quiet">week of {week}</span>
            </h3>
            <Foreign text={event.description} className="pre-line" />
            <dl className="labels">
              <dt>suggested roles</dt>
              <dd>{plain(event.suggested_roles.join(', '))}</dd>
              <dt>duration</dt>
              <dd>{counted(event.duration_days, 'day')}</dd>
              <dt>reward</dt>
              <dd>
                <Foreign text={event.reward} />
              </dd>
            </dl>
          </section>
        ))}
      </article>
    </div>
  );
}

function Job({ job: { job, on, by, provider, model } }: { readonly job: JobView }): ReactNode {
  const set = useMutation({
    mutationFn: async () => {
      const asked = { ...(provider && { provider }), ...(model && { model }) };
      await need(server.setJob({ job, on: !on, ...asked }));
      await lookAtPlatform();
    },
  });
  const { title, summary } = JOBS[job];
  return (
    <article className="card" aria-label={title}>
      <header>
        <h2>
          {title} <span className={on ? 'good' : 'quiet'}>{on ? 'on' : 'off'}</span>
        </h2>
        <p className="quiet">{summary}</p>
      </header>
      {on && (
        <p className="quiet">
          Asks {plain(model ?? provider ?? 'the provider of the project')}
          {by !== undefined && `, turned on by ${plain(by)}`}
        </p>
      )}
      <div className="buttons">
        <button type="button" disabled={set.isPending} onClick={() => set.mutate()}>
          {on ? 'Turn off' : 'Turn on'}
        </button>
      </div>
      <ProblemView error={set.error} />
    </article>
  );
}

const JOBS = {
  event: {
    title: 'Weekly public event',
    summary: 'The server generates the theme of the public event once a week.',
  },
  groups: {
    title: 'Reasons for interest groups',
    summary: 'The server explains the recommended groups of a new agent. The scores stay as computed.',
  },
} as const;
