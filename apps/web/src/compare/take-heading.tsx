import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';

/** Which case is open and which take of it, with the way to the others. */
export const TakeHeading = (props: {
  readonly id: string;
  readonly take: number;
  readonly takes: number;
  readonly onTake: (take: number) => void;
}): ReactNode => {
  const { id, take, takes } = props;
  if (takes <= 1) return <h3>{plain(id)}</h3>;
  return (
    <>
      <h3>
        {plain(id)}
        <span className="quiet">
          {' '}
          take {take} of {takes}
        </span>
      </h3>
      <div className="buttons">
        <button type="button" disabled={take <= 1} onClick={() => props.onTake(take - 1)}>
          Previous take
        </button>
        <button type="button" disabled={take >= takes} onClick={() => props.onTake(take + 1)}>
          Next take
        </button>
      </div>
    </>
  );
};
