import type { TurnView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { recordedQuery } from '../wire/queries.js';
import { Differences } from './differences.js';
import { useTurnBefore } from './turn-before.js';

/** What a turn was told that another was not: what is demanded first, then by source, tools and settings. */
export default function TurnDiff(props: {
  readonly run: string;
  readonly turn: TurnView;
  readonly against: string | undefined;
  readonly onAgainst: (turn: string | undefined) => void;
}): ReactNode {
  const { run, turn, against } = props;
  const id = useId();
  const { data: recorded } = useQuery(recordedQuery(run));
  const before = useTurnBefore({ run, turn, against, isWanted: true });
  return (
    <div className="waits">
      <div className="field">
        <label htmlFor={id}>Compared with</label>
        <select
          id={id}
          value={against ?? ''}
          onChange={({ target }) => props.onAgainst(target.value || undefined)}
        >
          <option value="">the turn before, of the same agent</option>
          {(recorded?.turns ?? [])
            .filter((each) => each.turn !== turn.turn)
            .map((each) => (
              <option key={each.turn} value={each.turn}>
                {plain(each.lane)} · {new Date(each.at).toLocaleTimeString()} · event {each.seq}
              </option>
            ))}
        </select>
      </div>
      <ProblemView error={before.error} />
      {before.isPending && <p className="quiet">Reading the other turn …</p>}
      {before.data === null && <p className="quiet">This is the first turn of its agent.</p>}
      {before.data && <Differences before={before.data.full} after={turn.full} />}
    </div>
  );
}
