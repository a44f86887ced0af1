import { SECRECIES, TRUSTS, VOLATILITIES } from '@cuebook/prompt';
import { memo, type ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { letterOf } from './prompt-rows.js';
import type { Lens } from './search.js';

/** What the letters and colours of a lens mean. */
export const Legend = memo(function Legend(props: {
  readonly lens: Lens;
  readonly sources: ReadonlyMap<string, number>;
  /** There is no turn to compare with. */
  readonly isFirst: boolean;
}): ReactNode {
  const { lens, sources } = props;
  if (lens === 'changed')
    return (
      <p className="quiet">
        {props.isFirst
          ? 'This is the first turn: nothing to compare it with.'
          : '+ marks lines that the previous turn did not have.'}
      </p>
    );
  const entries: readonly (readonly [string, string, string])[] =
    lens === 'origin'
      ? [...sources].slice(0, MOST).map(([name, at]) => [letterOf(at), name, `hue-${(at % 8) + 1}`])
      : LABELS[lens].map((name) => [name.charAt(0).toUpperCase(), name, `${lens}-${name}`]);
  return (
    <ul className="legend" aria-label="What the letters mean">
      {entries.map(([letter, name, look]) => (
        <li key={name}>
          <span className={`letter ${look}`}>{letter}</span> {plain(name)}
        </li>
      ))}
      {lens === 'origin' && sources.size > MOST && <li className="quiet">and {sources.size - MOST} more</li>}
    </ul>
  );
});

const MOST = 12;
const LABELS = { trust: TRUSTS, secrecy: SECRECIES, volatility: VOLATILITIES } as const;
