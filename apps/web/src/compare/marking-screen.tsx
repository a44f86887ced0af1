import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../shell/keys.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { markingQuery } from '../wire/queries.js';
import { need, server } from '../wire/server.js';

const route = getRouteApi('/runs/$run/marks');

/** Takes of a run to mark, one after the other, without anything that tells which variant they belong to. */
export function MarkingScreen(): ReactNode {
  const { run } = route.useParams();
  const { judge } = route.useSearch();
  return (
    <section className="screen marking">
      <header className="screen-head">
        <h1>Mark answers</h1>
        <Link to="/runs/$run/comparison" params={{ run }} search={{}}>
          Leave
        </Link>
      </header>
      <Marking key={`${run} ${judge}`} run={run} judge={judge} />
    </section>
  );
}

function Marking({ run, judge }: { readonly run: string; readonly judge: string | undefined }): ReactNode {
  const [passed, setPassed] = useState<readonly string[]>([]);
  const { data, error, refetch } = useQuery(markingQuery(run, judge, passed));
  const item = data?.item ?? null;
  const give = useMutation({
    mutationFn: async (given: { readonly item: string; readonly pass: boolean }) => {
      if (judge === undefined) return;
      await need(server.giveMark({ run, judge, ...given }));
      await refetch();
    },
  });
  // An answer is marked once; the next one may be marked as soon as it is there.
  const canMark = item !== null && !(give.isPending && give.variables.item === item.id);
  const mark = (pass: boolean): void => void (canMark && give.mutate({ item: item.id, pass }));
  const pass = (): void => void (canMark && setPassed([...passed, item.id]));
  useKeys('Marks', [
    { keys: 'y', label: 'Yes', run: () => mark(true) },
    { keys: 'n', label: 'No', run: () => mark(false) },
    { keys: 's', label: 'Skip', run: pass },
  ]);
  if (data === undefined)
    return error ? <ProblemView error={error} /> : <p className="quiet">Reading the record …</p>;
  if (judge === undefined)
    return data.judges.length === 0 ? (
      <Empty title="The project has no judge.">
        <p>
          Write <code>judges/NAME.yaml</code> with a question and anchors, and name it in the metrics of your
          cases.
        </p>
      </Empty>
    ) : (
      <ul aria-label="Judges">
        {data.judges.map((name) => (
          <li key={name}>
            <Link to="/runs/$run/marks" params={{ run }} search={{ judge: name }}>
              {plain(name)}
            </Link>
          </li>
        ))}
      </ul>
    );
  if (item === null)
    return (
      <Empty
        title={passed.length === 0 ? 'Every answer is marked.' : 'Only answers that you skipped are left.'}
      >
        <p>
          <code>cuebook judge {plain(judge)}</code> shows how often the judge agrees with your marks.
        </p>
      </Empty>
    );
  return (
    <>
      <p className="quiet">
        {counted(item.left, 'answer')} left{passed.length > 0 && `, ${passed.length} skipped`}. You do not see
        which variant an answer belongs to, nor its other scores.
      </p>
      <h2>The case</h2>
      <Verbatim text={item.input} label="The case" />
      <h2>The answer</h2>
      <Verbatim text={item.answer} label="The answer" />
      <p className="strong question">{plain(item.asks)}</p>
      <div className="buttons">
        <button type="button" className="main-button" disabled={!canMark} onClick={() => mark(true)}>
          Yes <kbd>y</kbd>
        </button>
        <button type="button" disabled={!canMark} onClick={() => mark(false)}>
          No <kbd>n</kbd>
        </button>
        <button type="button" disabled={!canMark} onClick={pass}>
          Skip <kbd>s</kbd>
        </button>
      </div>
      <ProblemView error={give.error} />
    </>
  );
}
