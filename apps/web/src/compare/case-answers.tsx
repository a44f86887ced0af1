import type { TakeAnswerView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Scrolled } from '../ui/scrolled.js';
import { answersQuery } from '../wire/queries.js';
import { type MarkedRun, markDifferences } from './mark-differences.js';
import { TakeHeading } from './take-heading.js';

/** Both answers to a case, side by side, with the words that differ marked. */
export function CaseAnswers(props: {
  readonly run: string;
  readonly id: string;
  readonly take: number;
  readonly onTake: (take: number) => void;
}): ReactNode {
  const { run, id, take } = props;
  const { data, error, isPending } = useQuery(answersQuery(run, id));
  const [base, candidate] = [data?.base[take - 1], data?.candidate[take - 1]];
  const marked = useMemo(() => markDifferences(textOf(base), textOf(candidate)), [base, candidate]);
  const takes = Math.max(data?.base.length ?? 0, data?.candidate.length ?? 0);
  return (
    <section className="card answers" aria-label={`Answers to ${plain(id)}`}>
      <TakeHeading id={id} take={take} takes={takes} onTake={props.onTake} />
      <ProblemView error={error} />
      {isPending && <p className="quiet">Reading the answers …</p>}
      {data !== undefined && (
        <div className="side-by-side">
          <Answer name="Base" answer={base} runs={marked.before} tone="removed" />
          <Answer name="Candidate" answer={candidate} runs={marked.after} tone="added" />
        </div>
      )}
    </section>
  );
}

function Answer(props: {
  readonly name: string;
  readonly answer: TakeAnswerView | undefined;
  readonly runs: readonly MarkedRun[];
  readonly tone: 'added' | 'removed';
}): ReactNode {
  const { name, answer, runs, tone } = props;
  const [run = '', turn = ''] = (answer?.turn ?? '').split('@');
  return (
    <div>
      <h4>
        {name}{' '}
        {answer !== undefined && (
          <Link to="/runs/$run/turns/$turn" params={{ run, turn }} search={{}}>
            its prompt
          </Link>
        )}
      </h4>
      {answer === undefined && <p className="quiet">No answer is recorded.</p>}
      {answer !== undefined && answer.end.reason !== 'done' && (
        <p className="bad">It ended with {plain(answer.end.code ?? answer.end.reason)}.</p>
      )}
      {answer !== undefined && (
        <Scrolled className="verbatim" label={`Answer of the ${name.toLowerCase()}`}>
          <pre dir="auto">
            {runs.map(({ text, isSame, start }) =>
              isSame ? (
                <span key={start}>{plain(text)}</span>
              ) : (
                <mark key={start} className={tone}>
                  {plain(text)}
                </mark>
              ),
            )}
          </pre>
        </Scrolled>
      )}
    </div>
  );
}

/** The words, and the calls as the model wrote them. */
const textOf = (answer: TakeAnswerView | undefined): string =>
  answer === undefined
    ? ''
    : [answer.text, ...answer.calls.map(({ name, input }) => `${name} ${JSON.stringify(input, null, 2)}`)]
        .filter((part) => part !== '')
        .join('\n');
