import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { durationWords } from '../ui/time.js';
import { agentTree } from './agent-tree.js';
import type { RunSpeaker, Story, TurnItem } from './story.js';
import { ticksOf, tickWords } from './time-axis.js';

/** Turns as bars over time with what was done in them, a row for each agent; a bar leads to its prompt. */
export function Timeline(props: {
  readonly run: string;
  readonly story: Story;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}): ReactNode {
  const { run, story, selected, onSelect } = props;
  const length = Math.max(1, story.at - story.startedAt);
  const turns = story.items.filter((item) => item.kind === 'turn');
  const percent = (ms: number) => `${((ms / length) * 100).toFixed(3)}%`;
  return (
    <div className="timeline">
      {agentTree(story.agents).map(({ agent }) => (
        <div key={agent.id} className="lane" data-selected={agent.id === selected}>
          <button
            type="button"
            className="quiet-button one-line"
            aria-pressed={selected === agent.id}
            onClick={() => onSelect(selected === agent.id ? undefined : agent.id)}
          >
            {plain(agent.name)}
          </button>
          <div className="bars">
            {turns
              .filter((turn) => turn.agent === agent.id)
              .map((turn) => (
                <Bar
                  key={turn.id}
                  {...{ run, turn, agent }}
                  now={story.at}
                  style={{
                    left: percent(turn.at - story.startedAt),
                    width: percent((turn.endedAt ?? story.at) - turn.at),
                  }}
                />
              ))}
          </div>
        </div>
      ))}
      <p className="quiet time-axis" aria-hidden="true">
        {ticksOf(length).map((tick) => (
          <span key={tick} style={{ left: percent(tick) }}>
            {tickWords(tick)}
          </span>
        ))}
      </p>
    </div>
  );
}

function Bar(props: {
  readonly run: string;
  readonly turn: TurnItem;
  readonly agent: RunSpeaker;
  readonly now: number;
  readonly style: CSSProperties;
}): ReactNode {
  const { run, turn, agent, now, style } = props;
  const done = plain(doneIn(turn));
  const words = `${barWords(turn, now)}: ${done}`;
  const look = { className: `bar ${stateOf(turn, agent)}`, style, title: words };
  if (!turn.isRecorded) return <span {...look}>{done}</span>;
  return (
    <Link
      {...look}
      to="/runs/$run/turns/$turn"
      params={{ run, turn: turn.id }}
      search={{}}
      aria-label={`${plain(agent.name)}, ${words}`}
    >
      {done}
    </Link>
  );
}

const barWords = ({ number, at, endedAt, reason }: TurnItem, now: number): string =>
  `turn ${number}, ${durationWords((endedAt ?? now) - at)}, ${reason ?? 'not over'}`;

/** How a bar looks; a turn that waits for a person is not at work. */
function stateOf({ error, reason, calls }: TurnItem, { status }: RunSpeaker): string {
  if (error !== null) return 'failed';
  if (reason !== null) return '';
  return status === 'waiting' || calls.some((call) => call.status === 'asked') ? 'waiting' : 'running';
}

/** What was done in a turn, in a few words: its calls, or what it said. */
const doneIn = ({ calls, text }: TurnItem): string =>
  calls.length > 0 ? [...new Set(calls.map(({ name }) => name))].join(', ') : text.slice(0, 80);
