import '@xyflow/react/dist/base.css';
import {
  Background,
  Controls,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useAct } from '../ui/act.js';
import { count, counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { server } from '../wire/server.js';
import { AddNode } from './add-node.js';
import { type Layout, layOut } from './layout.js';
import type { RunSpeaker, Story, StoryEdge, StoryStep } from './story.js';

/**
 * Who may send to whom. Laid out once for each set of agents and edges; nothing moves by itself. Drawing a way from one
 * agent to another joins them; drawn to nothing, it leads to a new agent.
 */
export default function Graph(props: {
  readonly run: string;
  readonly story: Story;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
  /** Agents and ways can be added. */
  readonly canChange: boolean;
}): ReactNode {
  const { run, story, selected, onSelect, canChange } = props;
  const [adding, setAdding] = useState<{ readonly from: string | undefined }>();
  const { act, error } = useAct(run);
  const { agents, edges: ways } = useMemo(() => graphOf(story), [story]);
  const isStep = story.steps.length > 0;
  const layout = useLayout(agents, ways);
  const [flow, setFlow] = useState<ReactFlowInstance<AgentNode>>();
  const clicked = useRef(selected);
  // Whoever is chosen elsewhere on the page comes into view; one that was clicked here is in view.
  useEffect(() => {
    const place = layout.get(selected ?? '');
    if (flow === undefined || place === undefined || clicked.current === selected) return;
    clicked.current = selected;
    const zoom = Math.max(flow.getZoom(), READABLE_ZOOM);
    void flow.setCenter(place.x + WIDTH / 2, place.y + HEIGHT / 2, { zoom });
  }, [flow, layout, selected]);
  const newest = Math.max(0, ...ways.map(({ usedAt }) => usedAt));
  const nodes = useMemo(
    () =>
      agents.map(
        (agent): AgentNode => ({
          id: agent.id,
          type: 'agent',
          position: layout.get(agent.id) ?? { x: 0, y: 0 },
          data: { agent, isStep },
          selected: agent.id === selected,
          width: WIDTH,
          height: HEIGHT,
        }),
      ),
    [agents, layout, selected, isStep],
  );
  const edges = useMemo(
    () =>
      ways.map(({ id, from, to, isReport, usedAt }) => ({
        id,
        source: from,
        target: to,
        className: [
          isReport ? 'report' : '',
          usedAt > 0 ? 'used' : '',
          usedAt === newest ? 'newest' : '',
        ].join(' '),
      })),
    [ways, newest],
  );
  if (layout.size === 0 && agents.length > 0) return <p className="quiet">Laying out the graph …</p>;
  return (
    <>
      {canChange && (
        <p className="graph-tools">
          <button type="button" onClick={() => setAdding({ from: selected })}>
            Add an agent …
          </button>{' '}
          <span className="quiet">
            Draw from the right side of an agent to another to join them, or to nothing for a new one.
          </span>
        </p>
      )}
      <ProblemView error={error} />
      <div className="graph">
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          nodesDraggable={false}
          nodesConnectable={canChange}
          onConnect={({ source, target }) => act(() => server.addEdge({ run, from: source, to: target }))}
          onConnectEnd={(_event, { fromNode, toNode }) => {
            if (fromNode !== null && toNode === null) setAdding({ from: fromNode.id });
          }}
          onlyRenderVisibleElements
          fitView
          fitViewOptions={{ maxZoom: 1, ...(selected === undefined ? {} : { nodes: [{ id: selected }] }) }}
          onInit={setFlow}
          minZoom={0.05}
          proOptions={{ hideAttribution: true }}
          onNodeClick={(_event, { id }) => {
            clicked.current = id;
            onSelect(id);
          }}
          onPaneClick={() => onSelect(undefined)}
        >
          <Background />
          <Controls showInteractive={false} />
        </ReactFlow>
      </div>
      {adding && (
        <AddNode
          run={run}
          from={story.agents.find(({ id }) => id === adding.from)}
          onClose={() => setAdding(undefined)}
        />
      )}
    </>
  );
}

/** Agents and the ways between them; of a workflow its steps, with the one that it is at. */
function graphOf(story: Story): Pick<Story, 'agents' | 'edges'> {
  if (story.steps.length === 0) return story;
  const agents = story.steps.map(
    (step): RunSpeaker => ({
      ...{ id: step.id, name: step.id, parent: null, tokens: 0, usd: 0, last: '', turns: step.visits },
      about: stepWords(step, story),
      status: step.id === story.step ? (story.agents[0]?.status ?? 'running') : 'idle',
    }),
  );
  const ids = new Set(story.steps.map(({ id }) => id));
  const edges = story.steps.flatMap(({ id, next, taken }) =>
    next
      .filter((to) => ids.has(to))
      .map((to) => ({
        ...{ id: `${id} ${to}`, from: id, to, isReport: false },
        usedAt: taken.includes(to) ? story.seq : 0,
      })),
  );
  return { agents, edges };
}

/** Where a workflow stands with a step, and what kind of step it is. */
const stepWords = ({ id, type, visits }: StoryStep, { step }: Story): string =>
  [id === step ? 'now' : visits > 0 ? 'was here' : 'not yet', ...(type === '' ? [] : [type])].join(' · ');

/** Names of agents can be read from here on. */
const READABLE_ZOOM = 0.8;

const WIDTH = 220;
const HEIGHT = 60;

type AgentNode = Node<{ readonly agent: RunSpeaker; readonly isStep: boolean }, 'agent'>;

function AgentBox({ data: { agent, isStep }, selected }: NodeProps<AgentNode>): ReactNode {
  return (
    <div className={`agent-box ${agent.status}`} data-selected={selected}>
      <Handle type="target" position={Position.Left} />
      <span className="strong one-line">{plain(agent.name)}</span>
      <span className="quiet one-line">
        {isStep ? agent.about : `${agent.status} · ${counted(agent.turns, 'turn')}`}
        {agent.usd > 0 ? ` · ${money(agent.usd)}` : agent.tokens > 0 ? ` · ${count(agent.tokens)} tok` : ''}
      </span>
      <Handle type="source" position={Position.Right} />
    </div>
  );
}

const NODE_TYPES = { agent: AgentBox };

/** The places of agents, once they are known. */
function useLayout(agents: readonly RunSpeaker[], edges: readonly StoryEdge[]): Layout {
  const [layout, setLayout] = useState<Layout>(() => new Map());
  const shape = JSON.stringify([agents.map(({ id }) => id), edges.map(({ id, from, to }) => [id, from, to])]);
  useEffect(() => {
    const [ids, ways] = JSON.parse(shape) as [string[], [string, string, string][]];
    let isGone = false;
    void layOut({ ids, edges: ways, width: WIDTH, height: HEIGHT }).then((found) => {
      if (!isGone) setLayout(found);
    });
    return () => {
      isGone = true;
    };
  }, [shape]);
  return layout;
}
