import type { ReactNode } from 'react';
import { shown, signed } from './verdict.js';

const [WIDTH, HEIGHT, PAD] = [360, 44, 10];

/**
 * A difference with its interval on a scale around zero. What lies left of the margin is the loss that must be ruled out.
 * The words below it say the same.
 */
export function DifferencePlot(props: {
  readonly mean: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly margin: number;
}): ReactNode {
  const { mean, interval, margin } = props;
  const [low, high] = interval === null ? [mean, mean] : [interval.low, interval.high];
  const reach = Math.min(1, Math.max(Math.abs(low), Math.abs(high), margin) * 1.15) || 1;
  const at = (value: number): number =>
    PAD + ((Math.min(reach, Math.max(-reach, value)) + reach) / (2 * reach)) * (WIDTH - 2 * PAD);
  const y = 16;
  return (
    <figure className="difference-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <rect className="loss" x={PAD} y={2} width={Math.max(0, at(-margin) - PAD)} height={28} />
        <line className="axis" x1={PAD} x2={WIDTH - PAD} y1={30} y2={30} />
        <line className="zero" x1={at(0)} x2={at(0)} y1={2} y2={30} />
        <line className="margin" x1={at(-margin)} x2={at(-margin)} y1={2} y2={30} />
        {interval !== null && <line className="interval" x1={at(low)} x2={at(high)} y1={y} y2={y} />}
        <circle className="mean" cx={at(mean)} cy={y} r={4.5} />
        <text x={PAD} y={42}>
          {signed(-reach)}
        </text>
        <text x={at(0)} y={42} textAnchor="middle">
          0
        </text>
        <text x={WIDTH - PAD} y={42} textAnchor="end">
          {signed(reach)}
        </text>
      </svg>
      <figcaption>
        {signed(mean)}
        {interval === null
          ? ', interval unknown'
          : `, between ${signed(interval.low)} and ${signed(interval.high)} (95 %)`}
        ; margin {shown(margin)}
      </figcaption>
    </figure>
  );
}
