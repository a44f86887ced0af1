import type { RunEventView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { count } from '../ui/numbers.js';
import type { Story } from './story.js';

/** Moves through the whole record of a run; at the end it is live. */
export function Scrubber(props: {
  readonly story: Story;
  readonly events: readonly RunEventView[];
  readonly at: number | undefined;
  readonly onMove: (at: number | undefined) => void;
}): ReactNode {
  const { story, events, at, onMove } = props;
  if (story.seq === 0) return null;
  const place = Math.min(at ?? story.seq, story.seq);
  const event = events[place - 1];
  const words = `event ${count(place)} of ${count(story.seq)}${event ? `, ${event.type}` : ''}`;
  const move = (to: number) => onMove(to >= story.seq ? undefined : Math.max(1, to));
  const turn = (by: 1 | -1) => () => {
    const stops = story.items.filter((item) => item.kind === 'turn').map(({ seq }) => seq);
    const next = by === 1 ? stops.find((seq) => seq > place) : stops.findLast((seq) => seq < place);
    move(next ?? (by === 1 ? story.seq : 1));
  };
  return (
    <div className="scrubber">
      <button type="button" aria-label="Previous turn" onClick={turn(-1)}>
        ‹
      </button>
      <input
        type="range"
        aria-label="Play back"
        aria-valuetext={words}
        min={1}
        max={story.seq}
        value={place}
        onChange={({ target }) => move(Number(target.value))}
      />
      <button type="button" aria-label="Next turn" onClick={turn(1)}>
        ›
      </button>
      <span className="quiet nowrap scrub-words">
        {words}
        {event && ` · ${new Date(event.at).toLocaleTimeString()}`}
      </span>
      <button
        type="button"
        className={at === undefined ? '' : 'main-button'}
        disabled={at === undefined}
        onClick={() => onMove(undefined)}
      >
        {at === undefined ? 'As it is now' : 'Back to now'}
      </button>
    </div>
  );
}
