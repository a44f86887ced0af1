import type { PlatformView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { count, counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty } from '../ui/problem.js';
import { IntervalPlot } from './interval-plot.js';

/** Which words do better: what was counted in each cohort, with intervals that may be looked at every day. */
export function ExperimentsTab({ platform }: { readonly platform: PlatformView }): ReactNode {
  if (platform.experiments.length === 0)
    return (
      <Empty title="No experiment runs.">
        <p>
          Try two versions of a scenario on two cohorts with{' '}
          <code>cuebook experiment start NAME --scenario intro --candidate 2</code>.
        </p>
      </Empty>
    );
  return (
    <div className="waits">
      {platform.experiments.map(({ id, scenario, control, candidate, share, rollout, outcomes }) => (
        <article key={id} className="card" aria-label={`Experiment ${plain(id)}`}>
          <header>
            <h2>{plain(id)}</h2>
            <p className="quiet">
              {plain(scenario)}: version {control} against {candidate}, which {Math.round(share * 100)}% of
              agents have
              {rollout !== undefined && `; rollout ${rollout.status}`}
            </p>
            {rollout !== undefined && <p className="quiet">{lengthText(rollout)}</p>}
          </header>
          {outcomes.length === 0 && (
            <p className="quiet">
              Nothing was counted yet: <code>cuebook experiment count</code> counts each day that has ended.
            </p>
          )}
          {outcomes.map(({ metric, arms, difference, verdict }) => (
            <figure key={metric} className="plot">
              <figcaption>
                <span className="strong">{plain(metric)}</span>{' '}
                <span className={verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : 'quiet'}>
                  {VERDICTS[verdict]}
                </span>
              </figcaption>
              <IntervalPlot
                rows={[
                  { label: `version ${control}, ${count(arms.control.count)} counted`, ...arms.control },
                  {
                    label: `version ${candidate}, ${count(arms.candidate.count)} counted`,
                    ...arms.candidate,
                  },
                ]}
                from={0}
                to={1}
              />
              <IntervalPlot
                rows={[{ label: 'difference', mean: null, interval: difference }]}
                from={-1}
                to={1}
                line={rollout === undefined ? 0 : -rollout.plan.margin}
              />
            </figure>
          ))}
        </article>
      ))}
    </div>
  );
}

type Rollout = NonNullable<PlatformView['experiments'][number]['rollout']>;

/** What the plan promises: how long it takes to find its effect, and how soon harm is halted. */
function lengthText({ plan: { metric, effect = 0.05, power = 0.8 }, length }: Rollout): string {
  const wanted = `A difference of ${effect} in ${plain(metric)}, with power ${power}`;
  if (!length) return `${wanted}.`;
  const { days, outcomes, haltDays, agentsNeeded } = length;
  const found =
    days === null || outcomes === null
      ? `is not found within two years${agentsNeeded === null ? '' : `: about ${count(agentsNeeded)} agents are needed`}`
      : `takes ${counted(days, 'day')} and ${count(outcomes.control)} against ${count(outcomes.candidate)} outcomes`;
  const halted = haltDays === null ? '' : ` Harm is halted within ${counted(haltDays, 'day')}.`;
  return `${wanted}, ${found}.${halted}`;
}

const VERDICTS = {
  better: 'the new version is better',
  worse: 'the new version is worse',
  open: 'both are still possible',
} as const;
