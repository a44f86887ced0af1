import { type ReactNode, useMemo } from 'react';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Foreign, Verbatim } from '../ui/text.js';
import type { Story } from './story.js';
import { workflowStateOf } from './workflow-state.js';

/** Where a workflow stands: its step, what is done, its variables and decisions, and what it has written. */
export function WorkflowStateCard({ story }: { readonly story: Story }): ReactNode {
  const { done, variables, decisions, artifacts } = useMemo(() => workflowStateOf(story), [story]);
  return (
    <section className="card" aria-label="State of the workflow">
      <dl className="labels">
        <dt>step</dt>
        <dd className="strong">{story.step === null ? 'none' : plain(story.step)}</dd>
        <dt>done</dt>
        <dd>
          {done.length} of {counted(story.steps.length, 'step')}
          {done.length > 0 && `: ${plain(done.join(', '))}`}
        </dd>
        {[...variables].map(([name, value]) => (
          <Row key={name} name={name} text={typeof value === 'string' ? value : JSON.stringify(value)} />
        ))}
        {decisions.length > 0 && <Row name="decided" text={decisions.join('; ')} />}
      </dl>
      {[...artifacts].map(([path, text]) =>
        text === null ? (
          <p key={path}>
            <code>{plain(path)}</code>
          </p>
        ) : (
          <details key={path}>
            <summary>
              <code>{plain(path)}</code>
            </summary>
            <Verbatim label={plain(path)} text={text} />
          </details>
        ),
      )}
      {artifacts.size === 0 && <p className="quiet">No artifact is written yet.</p>}
    </section>
  );
}

const Row = ({ name, text }: { readonly name: string; readonly text: string }): ReactNode => (
  <>
    <dt>{plain(name)}</dt>
    <dd>
      <Foreign text={text} />
    </dd>
  </>
);
