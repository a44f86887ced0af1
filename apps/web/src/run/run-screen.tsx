import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { WaitList } from '../needs/needs-screen.js';
import { useKeys } from '../shell/keys.js';
import { ProblemView } from '../ui/problem.js';
import { Switch } from '../ui/switch.js';
import { reportQuery, waitingQuery } from '../wire/queries.js';
import { withoutUnset } from '../wire/search.js';
import { AgentList } from './agent-list.js';
import { Composer } from './composer.js';
import { ConversationView } from './conversation.js';
import { NodePanel } from './node-panel.js';
import { RunHead } from './run-head.js';
import { Scrubber } from './scrubber.js';
import type { RunSearch } from './search.js';
import { Timeline } from './timeline.js';
import { useRun, useStoryAt } from './use-run.js';
import { WorkflowStateCard } from './workflow-state-card.js';

const Graph = lazy(() => import('./graph.js'));
const Changes = lazy(() => import('../review/changes.js'));
const route = getRouteApi('/runs/$run');

/** A run: who takes part, what is said and done, what it costs; as it is, or as it was at any event. */
export function RunScreen(): ReactNode {
  const { run } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const followed = useRun(run);
  const story = useStoryAt(followed, search.at);
  const { data: waits = [] } = useQuery(waitingQuery);
  const own = search.at === undefined ? waits.filter((wait) => wait.run === run) : [];
  const agent = story.agents.find(({ id }) => id === search.agent);
  const go = (change: Partial<Record<keyof RunSearch, RunSearch[keyof RunSearch]>>, replace = false) =>
    void navigate({ search: (before) => withoutUnset<RunSearch>({ ...before, ...change }), replace });
  const { data: report } = useQuery(reportQuery(run));
  const canChange = report?.kind === 'team' && search.at === undefined && !OVER.has(report.status);
  const pick = (id: string | undefined) => go({ agent: id });
  const step = (by: number) => () => {
    const ids = [undefined, ...story.agents.map(({ id }) => id)];
    pick(ids[(ids.indexOf(agent?.id) + by + ids.length) % ids.length]);
  };
  useKeys('Run', [
    { keys: ']', label: 'Next agent', run: step(1) },
    { keys: '[', label: 'Previous agent', run: step(-1) },
    { keys: 'c', label: 'Conversation', run: () => go({ view: undefined }) },
    { keys: 'v', label: 'Graph', run: () => go({ view: 'graph' }) },
    { keys: 'l', label: 'Timeline', run: () => go({ view: 'timeline' }) },
    { keys: 'f', label: 'Changed files', run: () => go({ view: 'changes' }) },
    {
      keys: 'm',
      label: 'Write to the agent',
      run: () => document.querySelector<HTMLElement>('.composer textarea')?.focus(),
    },
  ]);
  if (followed.error) return <ProblemView error={followed.error} />;
  return (
    <section className="screen run">
      <RunHead run={run} story={story} isPlayedBack={search.at !== undefined} />
      {followed.isPartial && (
        <p className="quiet" role="status">
          A long record: its beginning and its end are shown while the rest is read.
        </p>
      )}
      {own.length > 0 && <WaitList waits={own} inRun />}
      <div className="run-body">
        <AgentList story={story} selected={agent?.id} onSelect={pick} />
        <div className="run-main">
          <Switch label="View" value={search.view} options={VIEWS} onChange={(view) => go({ view })} />
          {story.steps.length > 0 && <WorkflowStateCard story={story} />}
          <Suspense fallback={<p className="quiet">Loading …</p>}>
            {search.view === 'graph' && (
              <Graph run={run} story={story} selected={agent?.id} onSelect={pick} canChange={canChange} />
            )}
            {search.view === 'timeline' && (
              <Timeline run={run} story={story} selected={agent?.id} onSelect={pick} />
            )}
            {search.view === 'changes' && <Changes run={run} story={story} selected={agent?.id} />}
          </Suspense>
          {search.view === undefined && (
            <ConversationView
              run={run}
              story={story}
              agent={agent?.id}
              live={followed.live}
              isReady={followed.isReady}
            />
          )}
          {canChange && agent && search.view !== 'changes' && <NodePanel run={run} node={agent.id} />}
          {search.view === undefined && search.at === undefined && (
            <Composer run={run} story={story} agent={agent} />
          )}
        </div>
      </div>
      {!followed.isPartial && (
        <Scrubber
          story={followed.story}
          events={followed.events}
          at={search.at}
          onMove={(at) => go({ at }, true)}
        />
      )}
    </section>
  );
}

const OVER: ReadonlySet<string> = new Set(['done', 'failed', 'stopped']);

const VIEWS = [
  { value: undefined, label: 'Conversation' },
  { value: 'graph', label: 'Graph' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'changes', label: 'Changes' },
] as const;
