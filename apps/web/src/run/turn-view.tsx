import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { Markdown } from '../ui/markdown.js';
import { count, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Foreign } from '../ui/text.js';
import { durationWords } from '../ui/time.js';
import { queries, turnQuery } from '../wire/queries.js';
import { CallView } from './call-view.js';
import type { TurnItem } from './story.js';
import type { SpokenLive } from './use-run.js';

/** One turn: what was thought, said, called and changed, with the way to what it was told. */
export const TurnArticle = memo(function TurnView(props: {
  readonly run: string;
  readonly turn: TurnItem;
  readonly name: string;
  readonly live: SpokenLive | undefined;
}): ReactNode {
  const { run, turn, name, live } = props;
  const text = turn.text || live?.text || '';
  const reasoning = turn.reasoning || live?.reasoning || '';
  return (
    <article className="item turn" aria-label={`Turn ${turn.number} of ${plain(name)}`}>
      <p className="item-head">
        <span className="strong">{plain(name)}</span>
        <span className="quiet">
          turn {turn.number}
          {turn.endedAt !== null && ` · ${durationWords(turn.endedAt - turn.at)}`}
          {turn.tokens > 0 && ` · ${count(turn.tokens)} tokens`}
          {turn.usd > 0 && ` · ${money(turn.usd)}`}
          {turn.isRecorded && (
            <>
              {' '}
              ·{' '}
              <Link
                to="/runs/$run/turns/$turn"
                params={{ run, turn: turn.id }}
                search={{}}
                onPointerEnter={() => void queries.prefetchQuery(turnQuery(run, turn.id, false, 'head'))}
              >
                Prompt
              </Link>
            </>
          )}
        </span>
      </p>
      {reasoning !== '' && (
        <details>
          <summary>Reasoning</summary>
          <Foreign text={reasoning} className="pre-line quiet" />
        </details>
      )}
      {turn.reason === null ? (
        <Foreign text={text || 'at work …'} className={text === '' ? 'quiet' : 'pre-line'} />
      ) : (
        text !== '' && <Markdown text={text} />
      )}
      {turn.calls.map((call) => (
        <CallView key={call.id} call={call} />
      ))}
      {turn.error && (
        <p className="bad">
          <Foreign text={turn.error.message} /> <code>{turn.error.code}</code>
        </p>
      )}
      {turn.reason !== null && turn.reason !== 'done' && <p className="quiet">ended: {turn.reason}</p>}
      {turn.diff && turn.diff.files.length > 0 && (
        <p className="quiet">
          changed <Foreign text={turn.diff.files.join(', ')} /> ·{' '}
          <Link to="/runs/$run" params={{ run }} search={{ view: 'changes', agent: turn.agent }}>
            Changes
          </Link>
        </p>
      )}
      {turn.flagged.length > 0 && (
        <p className="bad">
          removed, against the rules: <Foreign text={turn.flagged.join(', ')} />
        </p>
      )}
    </article>
  );
});
