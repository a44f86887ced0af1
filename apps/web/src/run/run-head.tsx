import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { kindWords } from '../runs/run-words.js';
import { Status } from '../runs/status.js';
import { SaveTeam } from '../start/save-team.js';
import { useAct } from '../ui/act.js';
import { count, counted, money } from '../ui/numbers.js';
import { ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { durationWords } from '../ui/time.js';
import { reportQuery, teamQuery } from '../wire/queries.js';
import { server } from '../wire/server.js';
import { RunSettingsForm } from './run-settings.js';
import type { Story } from './story.js';

/** What the run is about, how it stands, what it has cost, and what can be done with it. */
export function RunHead(props: {
  readonly run: string;
  readonly story: Story;
  readonly isPlayedBack: boolean;
}): ReactNode {
  const { run, story } = props;
  const { data: report } = useQuery(reportQuery(run));
  const isTeam = report?.kind === 'team';
  const { data: team } = useQuery({ ...teamQuery(run), enabled: isTeam });
  const { act, isPending, error } = useAct(run);
  const turns = story.agents.reduce((sum, agent) => sum + agent.turns, 0);
  const status = props.isPlayedBack ? story.status : (team?.status ?? report?.status ?? story.status);
  const isOver = ['completed', 'done', 'failed', 'stopped'].includes(status);
  const limit = team?.budget;
  return (
    <header className="run-head">
      <div className="screen-head">
        <h1>
          <Foreign text={story.goal ?? report?.target ?? run} />
        </h1>
        <span className="buttons">
          {report?.kind === 'eval' && (
            <Link to="/runs/$run/comparison" params={{ run }} search={{}}>
              Result
            </Link>
          )}
          <Status status={status} />
          {team && <SaveTeam team={team} />}
          {!isOver && !props.isPlayedBack && (
            <>
              {isTeam && status !== 'paused' && (
                <button
                  type="button"
                  disabled={isPending}
                  onClick={() => act(() => server.pauseRun({ run }))}
                >
                  Pause
                </button>
              )}
              {status === 'paused' && (
                <button
                  type="button"
                  className="main-button"
                  disabled={isPending}
                  onClick={() => act(() => server.resumeRun({ run }))}
                >
                  Resume
                </button>
              )}
              <button type="button" disabled={isPending} onClick={() => act(() => server.stopRun({ run }))}>
                Stop
              </button>
            </>
          )}
        </span>
      </div>
      <p className="quiet">
        {kindWords(report?.kind ?? 'run', turns)}
        {limit && ` of ${count(limit.turns.limit)}`} · {counted(story.tokens, 'token')}
        {story.usd > 0 && ` · ${money(story.usd)}`}
        {limit?.usd.limit != null && story.usd > 0 && ` of ${money(limit.usd.limit)}`} ·{' '}
        {durationWords(story.at - story.startedAt)}
        {team && !isOver && ` · ${team.mode === 'AUTO' ? 'continues by itself' : 'waits for your message'}`}
        {team && ` · ${team.globalMode.toLowerCase()}`}
        {story.step !== null && ` · at ${story.step}`}
      </p>
      {story.rehearsal && <p className="rehearsal">A rehearsal: a script answers here, not a model.</p>}
      {team?.done.map((text) => (
        <p key={text} className="quiet">
          Done when: <Foreign text={text} />
        </p>
      ))}
      {team?.result && !props.isPlayedBack && (
        <p className={team.result.ok ? 'good' : 'bad'}>
          {team.result.ok ? 'Done' : 'Not done'}: <Foreign text={team.result.summary} />
        </p>
      )}
      {team && !isOver && !props.isPlayedBack && <RunSettingsForm team={team} />}
      <ProblemView error={error} />
    </header>
  );
}
