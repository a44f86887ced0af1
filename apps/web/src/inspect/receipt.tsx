import { isCut, type TurnView } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { count, counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { need, server } from '../wire/server.js';
import { recompute } from './verify.js';

/** The hash and the signature on record; both can be checked here. */
export function ReceiptCard(props: {
  readonly run: string;
  readonly turn: TurnView;
  readonly request: TurnView['full'];
}): ReactNode {
  const { run, turn, request } = props;
  const { receipt } = turn;
  const here = useMutation({ mutationFn: () => recompute(request) });
  const proof = useMutation({ mutationFn: () => need(server.proveTurn({ run, turn: turn.turn })) });
  return (
    <section className="card receipt" aria-label="Receipt">
      <h2>Receipt</h2>
      <dl className="labels">
        <dt>hash</dt>
        <dd>
          <code>{request.hash}</code>
        </dd>
        <dt>signed</dt>
        <dd>
          by key <code>{receipt.key}</code> in event {count(receipt.seq)}
        </dd>
        <dt>signature</dt>
        <dd>
          <code>{receipt.signature}</code>
        </dd>
        {turn.sends.map(({ channel, ordinal, hash }) => (
          <Sent key={`${channel} ${ordinal}`} what={`${channel} ${ordinal}`} hash={hash} />
        ))}
      </dl>
      <div className="buttons">
        {request.masked ? (
          <span className="quiet">Masked text cannot be hashed: show it first.</span>
        ) : (
          <button type="button" disabled={isCut(request)} onClick={() => here.mutate()}>
            Verify here
          </button>
        )}
        <button type="button" disabled={proof.isPending} onClick={() => proof.mutate()}>
          Check signature and chain
        </button>
      </div>
      <div role="status">
        {here.data && (
          <p className={here.data.isSame ? 'good' : 'bad'}>
            {here.data.isSame
              ? `✓ the same hash, recomputed in this browser, of the whole and of ${counted(request.blocks.length, 'block')}`
              : `✕ not the recorded hash: ${plain(here.data.wrong.join(', ')) || here.data.hash}`}
          </p>
        )}
        {proof.data && (
          <p className={proof.data.ok ? 'good' : 'bad'}>
            {proof.data.ok
              ? `✓ signature, chain and every hash of the run are right (${counted(proof.data.events, 'event')})`
              : `✕ ${proof.data.problems.map(({ code, message }) => `${message} (${code})`).join(' ')}`}
          </p>
        )}
      </div>
      <ProblemView error={here.error ?? proof.error} />
    </section>
  );
}

const Sent = ({ what, hash }: { readonly what: string; readonly hash: string }): ReactNode => (
  <>
    <dt>sent, {what}</dt>
    <dd>
      <code>{hash}</code>
    </dd>
  </>
);
