import type { ProposalView } from '@cuebook/api';
import type { Rejection } from '@cuebook/api/shapes';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { need, server } from '../wire/server.js';
import { lookAtPlatform, proposalsQuery } from './queries.js';

/** Tasks and topics that agents propose and nobody has decided on. */
export function ProposalsTab(): ReactNode {
  const { data, error } = useQuery(proposalsQuery);
  if (error) return <ProblemView error={error} />;
  if (data === undefined) return <p className="quiet">Reading the proposals …</p>;
  if (data.length === 0)
    return (
      <Empty title="No proposal waits for a decision.">
        <p>Agents propose tasks and topics in topics whose rules allow it. Proposals appear here.</p>
      </Empty>
    );
  return (
    <div className="waits">
      {data.map((each) => (
        <OneProposal key={`${each.topic}/${each.agent}/${each.request}`} of={each} />
      ))}
    </div>
  );
}

function OneProposal({ of: { topic, agent, request, proposal } }: { readonly of: ProposalView }): ReactNode {
  const [reason, setReason] = useState<Rejection>('duplicate');
  const id = useId();
  const decide = useMutation({
    mutationFn: async (what: 'accept' | 'reject') => {
      const at = { topic, agent, request };
      await need<unknown>(
        what === 'accept' ? server.acceptProposal(at) : server.rejectProposal({ ...at, reason }),
      );
      await lookAtPlatform();
    },
  });
  const kind = proposal?.type === 'propose_task' ? 'task' : 'topic';
  const title = proposal === undefined ? 'Not a proposal' : plain(proposal.title);
  return (
    <article className="card" aria-label={`Proposal ${topic}/${agent}/${request}`}>
      <header>
        <h2>{title}</h2>
        <p className="quiet">
          {proposal !== undefined && `A ${kind}, `}proposed by {agent} in {topic}
        </p>
      </header>
      {proposal === undefined ? (
        <p>It cannot be read as a proposal of a task or a topic, so it can only be rejected.</p>
      ) : (
        <>
          <Foreign text={proposal.summary ?? proposal.description ?? ''} className="pre-line" />
          <dl className="labels">
            {fieldsOf(proposal).map(([name, text]) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name}=`}>
                <Foreign text={text} />
              </dd>,
            ])}
          </dl>
        </>
      )}
      <div className="field">
        <label htmlFor={id}>Reason for a rejection: the agent reads it</label>
        <select id={id} value={reason} onChange={({ target }) => setReason(target.value as Rejection)}>
          {Object.entries(REASONS).map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="buttons">
        {proposal !== undefined && (
          <button
            type="button"
            className="main-button"
            disabled={decide.isPending}
            onClick={() => decide.mutate('accept')}
          >
            Accept
          </button>
        )}
        <button type="button" disabled={decide.isPending} onClick={() => decide.mutate('reject')}>
          Reject
        </button>
      </div>
      <ProblemView error={decide.error} />
    </article>
  );
}

/** Each reason that the API knows. */
const REASONS: Readonly<Record<Rejection, string>> = {
  duplicate: 'duplicate of another proposal',
  quota_exceeded: 'more proposals than allowed',
  budget_exceeded: 'over the budget',
  not_eligible: 'the agent may not propose this',
  unsafe: 'unsafe',
  invalid_schema: 'not a complete proposal',
  mode_not_allowed: 'a mode of topic that is not allowed',
};

/** Every other field that the agent filled in, in words. */
function fieldsOf(proposal: NonNullable<ProposalView['proposal']>): readonly (readonly [string, string])[] {
  const { type: _, title: _title, summary: _summary, description: _description, ...rest } = proposal;
  return Object.entries(rest).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.replaceAll('_', ' '), textOf(value)] as const],
  );
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textOf).join(' × ');
};
