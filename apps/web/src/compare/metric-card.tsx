import type { ComparisonView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { DifferencePlot } from './difference-plot.js';
import { shown, VERDICTS } from './verdict.js';

/** One metric: both means, the difference with its interval and the margin, and what is found. */
export function MetricCard(props: {
  readonly metric: ComparisonView['metrics'][number];
  readonly margin: number;
}): ReactNode {
  const { name, role, base, candidate, difference, judged, verdict, why } = props.metric;
  const { words, sign, tone } = VERDICTS[verdict];
  return (
    <article className="card metric" aria-label={`Metric ${plain(name)}`}>
      <h3>
        {plain(name)} <span className="quiet">{role}</span>{' '}
        <span className={tone}>
          <span aria-hidden="true">{sign}</span> {words}
        </span>
      </h3>
      <p>
        {base === null ? 'no score' : shown(base.mean)} <span aria-hidden="true">→</span>
        <span className="unseen"> to </span> {candidate === null ? 'no score' : shown(candidate.mean)}
        {judged !== null && (
          <span className="quiet">
            {' '}
            judged by {plain(judged.judge)}
            {judged.corrected && `, corrected by ${judged.marks} marks`}
          </span>
        )}
      </p>
      {difference !== null && (
        <DifferencePlot mean={difference.mean} interval={difference.interval} margin={props.margin} />
      )}
      <p className="quiet">{plain(why)}</p>
    </article>
  );
}
