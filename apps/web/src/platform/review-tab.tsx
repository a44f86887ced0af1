import type { CardView } from '@cuebook/api';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { need, server } from '../wire/server.js';
import { bundleQuery, cardsQuery, lookAtPlatform } from './queries.js';
import { WordsDiff } from './words-diff.js';

/** Cards that wait for a reviewer: what models would read because of each, against what is published now. */
export function ReviewTab(): ReactNode {
  const { data, error } = useQuery(cardsQuery);
  if (error) return <ProblemView error={error} />;
  const waiting = data?.filter(({ status }) => status === 'pending') ?? [];
  if (data !== undefined && waiting.length === 0)
    return (
      <Empty title="No card waits for a review.">
        <p>
          A changed card appears here. It is not published before somebody other than its owner has approved
          it.
        </p>
      </Empty>
    );
  return (
    <div className="waits">
      {waiting.map((card) => (
        <OneReview key={`${card.agent} ${card.cardVersion}`} card={card} />
      ))}
    </div>
  );
}

function OneReview({ card }: { readonly card: CardView }): ReactNode {
  const { agent, owner, cardVersion, draft, promptView, basePrompt } = card;
  const [reason, setReason] = useState('');
  const [signed, setSigned] = useState('');
  const ids = { reason: useId(), signed: useId() };
  const { data: bundle } = useQuery({ ...bundleQuery(agent), enabled: card.published !== undefined });
  const decide = useMutation({
    mutationFn: async (what: 'approve' | 'reject') => {
      await need(
        what === 'approve'
          ? server.approveCard({ agent, cardVersion, review: signed })
          : server.rejectCard({ agent, cardVersion, reason }),
      );
      await lookAtPlatform();
    },
  });
  const now = bundle?.verification?.ok ? bundle.verification : undefined;
  return (
    <article className="card" aria-label={`Card of ${plain(draft.name)}`}>
      <header>
        <h2>
          {plain(draft.name)} <span className="quiet">{agent}</span>
        </h2>
        <p className="quiet">
          Version {cardVersion}, submitted by {plain(owner)}
        </p>
      </header>
      {now === undefined ? (
        <>
          <Verbatim label="Prompt view" text={promptView} />
          <Verbatim label="Base prompt" text={basePrompt} />
        </>
      ) : (
        <>
          <WordsDiff file="prompt view, published and new" before={now.promptView} after={promptView} />
          <WordsDiff file="base prompt, published and new" before={now.basePrompt} after={basePrompt} />
        </>
      )}
      <div className="field">
        <label htmlFor={ids.reason}>Why not: its owner reads this</label>
        <textarea
          id={ids.reason}
          rows={2}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      <div className="buttons">
        <button
          type="button"
          disabled={reason.trim() === '' || decide.isPending}
          onClick={() => decide.mutate('reject')}
        >
          Reject
        </button>
      </div>
      <details>
        <summary>Approve with a signed review</summary>
        <p className="quiet">
          The reviewer’s key never comes to this page.{' '}
          <code>
            cuebook card approve {agent}@{cardVersion} --key FILE
          </code>{' '}
          signs and approves at a terminal; a review that was signed elsewhere is pasted here.
        </p>
        <div className="field">
          <label htmlFor={ids.signed}>Signed review</label>
          <textarea
            id={ids.signed}
            rows={3}
            value={signed}
            onChange={({ target }) => setSigned(target.value)}
          />
        </div>
        <button
          type="button"
          className="main-button"
          disabled={signed.trim() === '' || decide.isPending}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </button>
      </details>
      <ProblemView error={decide.error} />
    </article>
  );
}
