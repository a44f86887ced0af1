import type { ReactNode } from 'react';

interface PlotRow {
  readonly label: string;
  readonly mean: number | null;
  readonly interval: { readonly low: number; readonly high: number };
}

const [WIDTH, ROW, PAD] = [320, 22, 6];

/** Intervals on one scale, each with its mean; a table says the same to who cannot see it. */
export function IntervalPlot(props: {
  readonly rows: readonly PlotRow[];
  readonly from: number;
  readonly to: number;
  /** A value that counts, such as no difference. */
  readonly line?: number;
}): ReactNode {
  const { rows, from, to, line } = props;
  const at = (value: number) =>
    PAD + ((Math.min(to, Math.max(from, value)) - from) / (to - from)) * (WIDTH - 2 * PAD);
  return (
    <div className="interval-plot">
      <svg viewBox={`0 0 ${WIDTH} ${rows.length * ROW}`} aria-hidden="true">
        <line
          className="axis"
          x1={PAD}
          x2={WIDTH - PAD}
          y1={rows.length * ROW - 1}
          y2={rows.length * ROW - 1}
        />
        {line !== undefined && (
          <line className="mark" x1={at(line)} x2={at(line)} y1={0} y2={rows.length * ROW} />
        )}
        {rows.map(({ label, mean, interval }, index) => {
          const y = index * ROW + ROW / 2;
          return (
            <g key={label}>
              <line className="interval" x1={at(interval.low)} x2={at(interval.high)} y1={y} y2={y} />
              {mean !== null && <circle className="mean" cx={at(mean)} cy={y} r={4} />}
            </g>
          );
        })}
      </svg>
      <table>
        <tbody>
          {rows.map(({ label, mean, interval: { low, high } }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {mean === null ? '' : `${mean.toFixed(3)}, `}
                {low.toFixed(3)} to {high.toFixed(3)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
