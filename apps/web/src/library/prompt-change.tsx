import type { RenderedView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Differences } from '../inspect/differences.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { need, server } from '../wire/server.js';
import { useSettled } from './use-settled.js';

/** What the next turn would be told otherwise once the edits are saved, and which other prompts that reaches. */
export default function PromptChange(props: {
  readonly before: RenderedView['saved'];
  readonly after: RenderedView['now'];
  readonly edits: readonly { readonly path: string; readonly text: string }[];
}): ReactNode {
  const { before, after } = props;
  return (
    <div className="waits">
      {before !== null && after !== null ? (
        <Differences before={before} after={after} />
      ) : (
        <p className="quiet">One of the two cannot be composed, so there is nothing to compare.</p>
      )}
      <Reach edits={props.edits} />
    </div>
  );
}

function Reach({ edits }: { readonly edits: readonly { readonly path: string; readonly text: string }[] }) {
  const asked = useSettled(edits, 600);
  const { data, error } = useQuery({
    queryKey: ['reach', asked],
    queryFn: () => need(server.findReached({ edits: [...asked] })),
  });
  if (error) return <ProblemView error={error} />;
  return (
    <section className="card">
      <h3>Prompts that change</h3>
      {data === undefined ? (
        <p className="quiet">Composing every prompt …</p>
      ) : data.reached.length === 0 ? (
        <p className="quiet">None.</p>
      ) : (
        <ul className="reached">
          {data.reached.map(({ target, change }) => (
            <li key={target}>
              {plain(target)} <span className={change === 'broken' ? 'bad' : 'quiet'}>{CHANGES[change]}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const CHANGES = {
  changed: 'other words',
  broken: 'could no longer be composed',
  fixed: 'could be composed again',
} as const;
