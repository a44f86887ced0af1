import type { ReactNode } from 'react';
import { counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Said } from '../ui/text.js';
import type { Agent, Story } from './story.js';

/** Who takes part, with state, last act and cost. */
export function AgentList(props: {
  readonly story: Story;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}): ReactNode {
  const { story, selected, onSelect } = props;
  return (
    <nav className="agents" aria-label="Agents">
      {story.agents.length > 1 && (
        <button type="button" aria-pressed={selected === undefined} onClick={() => onSelect(undefined)}>
          <span className="strong">All agents</span>
          <span className="quiet">{counted(story.agents.length, 'agent')}, merged by time</span>
        </button>
      )}
      {story.agents.map((agent) => (
        <button
          key={agent.id}
          type="button"
          aria-pressed={selected === agent.id}
          className={agent.parent === null ? '' : 'nested'}
          onClick={() => onSelect(agent.id)}
        >
          <span className="agent-line">
            <span>
              <span aria-hidden="true" className={`sign ${agent.status}`}>
                {SIGNS[agent.status]}
              </span>{' '}
              <span className="strong">{plain(agent.name)}</span>{' '}
              <span className="quiet">{agent.status}</span>
            </span>
            <span className="quiet">{costOf(agent)}</span>
          </span>
          <span className="quiet one-line">{plain(agent.about)}</span>
          {agent.last !== '' && (
            <span className="quiet one-line">
              <Said text={agent.last} />
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}

const costOf = ({ usd, tokens }: Agent): string => {
  if (usd > 0) return money(usd);
  return tokens >= 1_000 ? `${(tokens / 1_000).toFixed(1)}k tok` : tokens > 0 ? `${tokens} tok` : '';
};

const SIGNS = { idle: '○', running: '●', waiting: '◔', held: '❙❙', failed: '✕' } as const;
