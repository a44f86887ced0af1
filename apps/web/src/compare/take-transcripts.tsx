import type { TakeAnswerView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Scrolled } from '../ui/scrolled.js';
import { answersQuery } from '../wire/queries.js';
import { TakeHeading } from './take-heading.js';

type Entry = NonNullable<TakeAnswerView['transcript']>[number];

/** What was said and done in the takes of a case: under attack beside without, take by take. */
export function TakeTranscripts(props: {
  readonly run: string;
  readonly id: string;
  readonly isAttacked: boolean;
  readonly take: number;
  readonly onTake: (take: number) => void;
}): ReactNode {
  const { run, id, isAttacked, take } = props;
  const { data, error, isPending } = useQuery(answersQuery(run, id));
  const takes = Math.max(data?.base.length ?? 0, data?.candidate.length ?? 0);
  return (
    <section className="card answers" aria-label={`Transcript of ${plain(id)}`}>
      <TakeHeading id={id} take={take} takes={takes} onTake={props.onTake} />
      <ProblemView error={error} />
      {isPending && <p className="quiet">Reading the transcript …</p>}
      {data !== undefined && (
        <div className={isAttacked ? 'side-by-side' : ''}>
          {isAttacked && <Transcript name="Under attack" answer={data.candidate[take - 1]} />}
          <Transcript name="Without an attack" answer={data.base[take - 1]} />
        </div>
      )}
    </section>
  );
}

function Transcript({
  name,
  answer,
}: {
  readonly name: string;
  readonly answer: TakeAnswerView | undefined;
}): ReactNode {
  return (
    <div>
      <h4>{name}</h4>
      {answer === undefined && <p className="quiet">No take is on record.</p>}
      {answer !== undefined && answer.end.reason !== 'done' && (
        <p className="bad">It ended with {plain(answer.end.code ?? answer.end.reason)}.</p>
      )}
      {answer !== undefined && (
        <Scrolled className="verbatim transcript" label={`Transcript ${name.toLowerCase()}`}>
          <ol>
            {keyed(answer.transcript ?? []).map(({ key, entry }) => (
              <li key={key}>
                <strong>{speakerOf(entry)}</strong>
                <pre dir="auto">{plain(textOf(entry))}</pre>
              </li>
            ))}
          </ol>
        </Scrolled>
      )}
    </div>
  );
}

/** A transcript never changes: the place of an entry is its name. */
const keyed = (entries: readonly Entry[]) =>
  entries.map((entry, at) => ({ key: `${at} ${entry.by}`, entry }));

const speakerOf = (entry: Entry): string =>
  entry.by === 'tool' ? `Result of ${plain(entry.name)}` : entry.by === 'user' ? 'User' : 'Agent';

const textOf = (entry: Entry): string =>
  entry.by === 'agent'
    ? [entry.text, ...entry.calls.map(({ name, input }) => `calls ${name} ${JSON.stringify(input, null, 2)}`)]
        .filter((part) => part !== '')
        .join('\n')
    : entry.text;
