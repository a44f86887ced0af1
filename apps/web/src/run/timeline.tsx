import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { durationWords } from '../ui/time.js';
import { agentTree } from './agent-tree.js';
import type { Story, TurnItem } from './story.js';

/** Turns as bars over time, a row for each agent; a bar leads to its prompt. */
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
                <Link
                  key={turn.id}
                  to="/runs/$run/turns/$turn"
                  params={{ run, turn: turn.id }}
                  search={{}}
                  className={`bar ${turn.error ? 'failed' : turn.reason === null ? 'running' : ''}`}
                  style={{
                    left: percent(turn.at - story.startedAt),
                    width: percent((turn.endedAt ?? story.at) - turn.at),
                  }}
                  title={barWords(turn, story.at)}
                  aria-label={`${plain(agent.name)}, ${barWords(turn, story.at)}`}
                />
              ))}
          </div>
        </div>
      ))}
      <p className="quiet timeline-foot">
        <span>0 s</span>
        <span>{durationWords(length)}</span>
      </p>
    </div>
  );
}

const barWords = ({ number, at, endedAt, reason }: TurnItem, now: number): string =>
  `turn ${number}, ${durationWords((endedAt ?? now) - at)}, ${reason ?? 'at work'}`;
