import { type ReactNode, useState } from 'react';
import { counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Foreign } from '../ui/text.js';
import { agentTree } from './agent-tree.js';
import type { RunSpeaker, Story } from './story.js';

/** Who takes part, with state, last act and cost. */
export function AgentList(props: {
  readonly story: Story;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}): ReactNode {
  const { story, selected, onSelect } = props;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [words, setWords] = useState('');
  const toggle = (id: string) =>
    setClosed(new Set(closed.has(id) ? [...closed].filter((each) => each !== id) : [...closed, id]));
  const rows = agentTree(story.agents, closed).filter(({ agent }) =>
    `${agent.name} ${agent.about} ${agent.status}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <nav className="agents" aria-label="Agents">
      {story.agents.length > 1 && (
        <button type="button" aria-pressed={selected === undefined} onClick={() => onSelect(undefined)}>
          <span className="strong">All agents</span>
          <span className="quiet">{counted(story.agents.length, 'agent')}, merged by time</span>
        </button>
      )}
      {story.agents.length > MANY && (
        <input
          type="search"
          aria-label="Only agents that match"
          placeholder="Filter"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {rows.map(({ agent, depth, children }) => (
        <div key={agent.id} className="agent-row" style={{ paddingLeft: `${Math.min(depth, 8) * 0.9}rem` }}>
          {children > 0 && (
            <button
              type="button"
              className="quiet-button fold"
              aria-expanded={!closed.has(agent.id)}
              aria-label={`Agents below ${plain(agent.name)}`}
              onClick={() => toggle(agent.id)}
            >
              {closed.has(agent.id) ? '▸' : '▾'}
            </button>
          )}
          <button type="button" aria-pressed={selected === agent.id} onClick={() => onSelect(agent.id)}>
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
                <Foreign text={agent.last} />
              </span>
            )}
          </button>
        </div>
      ))}
    </nav>
  );
}

/** So many agents want a filter. */
const MANY = 12;

const costOf = ({ usd, tokens }: RunSpeaker): string => {
  if (usd > 0) return money(usd);
  return tokens >= 1_000 ? `${(tokens / 1_000).toFixed(1)}k tok` : tokens > 0 ? `${tokens} tok` : '';
};

const SIGNS = { idle: '○', running: '●', waiting: '◔', held: '❙❙', failed: '✕' } as const;
