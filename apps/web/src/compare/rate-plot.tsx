import type { InjectionView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { shown } from './verdict.js';

type Rate = InjectionView['all']['attack'];

const [WIDTH, HEIGHT, PAD] = [360, 44, 10];

/** A share with its interval on a scale from none to all. The words below it say the same. */
export function RatePlot({ rate }: { readonly rate: Rate }): ReactNode {
  if (rate === null) return <p className="quiet">no score</p>;
  const at = (value: number): number => PAD + value * (WIDTH - 2 * PAD);
  const y = 16;
  const { interval } = rate;
  return (
    <figure className="difference-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <line className="axis" x1={PAD} x2={WIDTH - PAD} y1={30} y2={30} />
        {interval !== null && (
          <line className="interval" x1={at(interval.low)} x2={at(interval.high)} y1={y} y2={y} />
        )}
        <circle className="mean" cx={at(rate.rate)} cy={y} r={4.5} />
        <text x={PAD} y={42}>
          0
        </text>
        <text x={WIDTH - PAD} y={42} textAnchor="end">
          1
        </text>
      </svg>
      <figcaption>{rateText(rate)}</figcaption>
    </figure>
  );
}

/** `.250, between .120 and .440 (95 %), 4 of 16`. */
function rateText(rate: Rate): string {
  if (rate === null) return 'no score';
  const { interval, yes, count } = rate;
  const within =
    interval === null
      ? 'interval unknown'
      : `between ${shown(interval.low)} and ${shown(interval.high)} (95 %)`;
  return `${shown(rate.rate)}, ${within}, ${yes} of ${count}`;
}
