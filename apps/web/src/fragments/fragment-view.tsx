import type { AnswerOf, FRAGMENT_ROUTES } from '@cuebook/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useSettled } from '../library/use-settled.js';
import { WordsDiff } from '../platform/words-diff.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { need, server } from '../wire/server.js';
import type { FoundFragment } from './fragments-screen.js';

/** One fragment: its words, the Agents that include it, and what other words would do to each of them. */
export function FragmentView(props: FoundFragment & { readonly from: 'project' | 'cluster' }): ReactNode {
  const { namespace, name, fragment, from } = props;
  const { key, agents } = fragment;
  const [text, setText] = useState(fragment.text);
  const isEdited = text !== fragment.text;
  const asked = useSettled(
    useMemo(() => ({ from, edits: [{ namespace, name, key, text }] }), [from, namespace, name, key, text]),
  );
  const { data, error } = useQuery({
    queryKey: ['fragments', 'preview', asked],
    queryFn: () => need(server.previewFragments(asked)),
    enabled: isEdited,
    placeholderData: keepPreviousData,
  });
  return (
    <div className="target-view">
      <div className="target-source">
        <h2>{plain(`${namespace}/${name} ${key}`)}</h2>
        <textarea
          aria-label="Text of the fragment"
          rows={Math.min(30, Math.max(8, text.split('\n').length + 1))}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <p className="quiet">Nothing is written: this is only a preview.</p>
        <h3>Included by {agents.length === 1 ? '1 Agent' : `${agents.length} Agents`}</h3>
        <ul aria-label="Agents">
          {agents.map(({ agent, how }) => (
            <li key={agent}>
              {plain(agent)} {how !== 'include' && <span className="quiet">{HOW[how]}</span>}
            </li>
          ))}
        </ul>
      </div>
      <div aria-live="polite">
        <h2>What a change does</h2>
        {!isEdited && <p className="quiet">Edit the text on the left.</p>}
        {isEdited && error && <ProblemView error={error} />}
        {isEdited && data !== undefined && <Preview {...data} />}
      </div>
    </div>
  );
}

const HOW = { message: 'its whole message', computed: 'perhaps, by a computed path' } as const;

function Preview(props: AnswerOf<(typeof FRAGMENT_ROUTES)['previewFragments']>): ReactNode {
  const { agents, more } = props;
  const broken = agents.filter(({ change }) => change === 'broken').length;
  if (agents.length === 0) return <p>No Agent gets a different prompt, and no pod restarts.</p>;
  return (
    <>
      <p className="strong">
        {agents.length + more - broken} get a new prompt, and their pods restart. {broken} cannot be resolved
        with it.
      </p>
      {agents.map(({ agent, change, message, before, after, added, dropped }) => (
        <details key={agent} open={agents.length === 1 || change === 'broken'}>
          <summary>
            {plain(agent)}{' '}
            <span className={change === 'broken' ? 'problem' : 'quiet'}>{CHANGES[change]}</span>
          </summary>
          {message !== undefined && <p className="problem">{plain(message)}</p>}
          {dropped.map(({ force, text }) => (
            <p key={`- ${text}`}>
              No more {force}: {plain(text)}
            </p>
          ))}
          {added.map(({ force, text }) => (
            <p key={`+ ${text}`}>
              New {force}: {plain(text)}
            </p>
          ))}
          {before !== null && after !== null && <WordsDiff file={agent} before={before} after={after} />}
        </details>
      ))}
      {more > 0 && <p className="quiet">… and {more} more</p>}
    </>
  );
}

const CHANGES = {
  added: 'new',
  removed: 'removed',
  changed: 'new prompt, pods restart',
  broken: 'cannot be resolved, keeps its prompt',
  fixed: 'can be resolved again, pods restart',
} as const;
