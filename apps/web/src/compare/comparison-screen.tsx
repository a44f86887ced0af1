import type { AblationView, ComparisonView, InjectionView, ScoresView, StepRunView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { comparisonQuery } from '../wire/queries.js';
import { AblationBody } from './ablation-view.js';
import { answeredBy } from './answered-by.js';
import { CaseAnswers } from './case-answers.js';
import { ChangedWords } from './changed-words.js';
import { InjectionBody } from './injection-view.js';
import { MetricCard } from './metric-card.js';
import { useOpenCase } from './open-case.js';
import { StepBody } from './step-view.js';
import { shown, signed, VERDICTS } from './verdict.js';

const route = getRouteApi('/runs/$run/comparison');

/** What a comparison has come to: the words that changed, what was measured, and every case with both answers. */
export function ComparisonScreen(): ReactNode {
  const { run } = route.useParams();
  const { data, error } = useQuery(comparisonQuery(run));
  if (data === undefined)
    return error ? <ProblemView error={error} /> : <p className="quiet screen">Reading the record …</p>;
  const { document, status, told } = data;
  return (
    <section className="screen comparison">
      <header className="screen-head">
        <h1>{titleOf(document)}</h1>
        <span className="buttons">
          {('comparison' in document || 'eval' in document) && (
            <Link to="/runs/$run/marks" params={{ run }} search={{}}>
              Mark answers
            </Link>
          )}
          <Link to="/runs/$run" params={{ run }} search={{}}>
            The run
          </Link>
        </span>
      </header>
      {status !== 'done' && (
        <p className="quiet" role="status">
          {status === 'waiting'
            ? 'The budget is used up: run the same command with a larger --budget to continue.'
            : 'Not finished yet: this is the result so far.'}
        </p>
      )}
      {'comparison' in document ? (
        <Comparison run={run} document={document} />
      ) : 'ablation' in document ? (
        <AblationBody document={document} told={told} />
      ) : 'injection' in document ? (
        <InjectionBody run={run} document={document} />
      ) : 'step' in document ? (
        <StepBody document={document} />
      ) : (
        <Scores run={run} document={document} />
      )}
    </section>
  );
}

/** What a run that serves another one is called. */
const STEPS: Readonly<Record<string, string>> = {
  judge: 'Judgements',
  tune: 'Tuning',
  ablate: 'Step of an ablation',
  through: 'Answers of agents that ran to their end',
};

function titleOf(document: ComparisonView | ScoresView | AblationView | InjectionView | StepRunView): string {
  if ('injection' in document) return 'Injection suite';
  if ('comparison' in document) return 'Comparison';
  if ('ablation' in document) return 'Ablation';
  if ('eval' in document) return 'Eval';
  return STEPS[document.what] ?? 'Takes';
}

function Comparison({
  run,
  document,
}: {
  readonly run: string;
  readonly document: ComparisonView;
}): ReactNode {
  const { verdict, why, base, candidate, design, metrics, cost, missing, earlier } = document;
  const { words, sign, tone } = VERDICTS[verdict];
  const grouped = design.clusters === design.cases ? '' : ` in ${counted(design.clusters, 'cluster')}`;
  return (
    <>
      <p className={`verdict ${tone}`}>
        <span aria-hidden="true">{sign}</span> <strong>{words}</strong>: {plain(why)}
      </p>
      <p>
        <Foreign text={base.target} /> <span aria-hidden="true">→</span>
        <span className="unseen"> to </span>{' '}
        <Foreign text={[candidate.target, ...candidate.edits].join(' with ')} />
      </p>
      <p className="quiet">
        {counted(design.cases, 'case')}
        {grouped}, {counted(design.takes, 'take')} each, look {design.looks.taken} of {design.looks.planned},
        margin {shown(design.margin)}
        {cost.base !== null && cost.candidate !== null && `, ${money(cost.base)} to ${money(cost.candidate)}`}
        {answeredBy(document.models.base, document.models.candidate)}
        {earlier.length > 0 && `; ${counted(earlier.length, 'earlier comparison')} of the same variants`}
      </p>
      {missing.base + missing.candidate > 0 && (
        <p className="bad">
          Missing: base {missing.base}, candidate {missing.candidate} (
          {Object.entries(missing.reasons)
            .map(([reason, count]) => `${plain(reason)} ${count}`)
            .join(', ')}
          )
        </p>
      )}
      <div className="comparison-body">
        <div className="column">
          <h2>Words</h2>
          <ChangedWords document={document} />
        </div>
        <div className="column">
          <h2>Measured</h2>
          {metrics.map((metric) => (
            <MetricCard key={metric.name} metric={metric} margin={design.margin} />
          ))}
        </div>
      </div>
      <Cases run={run} cases={document.cases} moved={new Map(document.moved.map(({ id, by }) => [id, by]))} />
    </>
  );
}

function Scores({ run, document }: { readonly run: string; readonly document: ScoresView }): ReactNode {
  const { variant, design, metrics, cost } = document;
  return (
    <>
      <p>
        <Foreign text={variant.target} />
      </p>
      <p className="quiet">
        {counted(design.cases, 'case')}, {counted(design.takes, 'take')} each
        {cost !== null && `, ${money(cost)}`}
        {answeredBy(document.models)}
      </p>
      <ul className="scores">
        {metrics.map(({ name, mean, interval, missing }) => (
          <li key={name}>
            <strong>{plain(name)}</strong> {mean === null ? 'no score' : shown(mean)}
            {interval !== null && `, between ${shown(interval.low)} and ${shown(interval.high)} (95 %)`}
            {missing > 0 && <span className="bad"> {missing} missing</span>}
          </li>
        ))}
      </ul>
      <Cases run={run} cases={document.cases} moved={new Map()} />
    </>
  );
}

type CaseRow = ScoresView['cases'][number] & {
  readonly candidate?: ComparisonView['cases'][number]['candidate'];
};

/** Every case, those that moved first. One that is open shows its answers. */
function Cases(props: {
  readonly run: string;
  readonly cases: readonly CaseRow[];
  readonly moved: ReadonlyMap<string, number>;
}): ReactNode {
  const { run, moved } = props;
  const weight = ({ id, base, candidate = [] }: CaseRow): number =>
    Math.abs(moved.get(id) ?? (meanOf(candidate) ?? 0) - (meanOf(base) ?? 0));
  const cases = props.cases.toSorted((one, other) => weight(other) - weight(one));
  const { listRef, isOpen, take, goToTake, rowOf } = useOpenCase(
    cases.map(({ id }) => id),
    { screen: 'Comparison', open: 'Open or close the answers' },
  );
  return (
    <section>
      <h2>Cases</h2>
      {cases.length === 0 && (
        <Empty title="No case has an answer yet.">
          <p>Answers appear here while the command runs.</p>
        </Empty>
      )}
      <div className="rows" ref={listRef}>
        {cases.map((each) => (
          <div key={each.id}>
            <button type="button" className="row case-row" {...rowOf(each.id)}>
              <span className="row-main">
                <Foreign text={each.id} className="strong" />
                {each.cluster !== each.id && <span className="quiet">{plain(each.cluster)}</span>}
              </span>
              <Takes label="base" scores={each.base} />
              {each.candidate !== undefined && <Takes label="candidate" scores={each.candidate} />}
              {moved.has(each.id) && (
                <span className={(moved.get(each.id) ?? 0) > 0 ? 'good' : 'bad'}>
                  moved {signed(moved.get(each.id) ?? 0)}
                </span>
              )}
            </button>
            {isOpen(each.id) && <CaseAnswers run={run} id={each.id} take={take} onTake={goToTake} />}
          </div>
        ))}
      </div>
    </section>
  );
}

const Takes = ({
  label,
  scores,
}: {
  readonly label: string;
  readonly scores: readonly (number | null)[];
}) => (
  <span className="quiet nowrap">
    {label}{' '}
    {scores.map((score) => (score === null ? '–' : shown(score).replace(/\.?0+$/u, '') || '0')).join(' ')}
  </span>
);

function meanOf(scores: readonly (number | null)[]): number | undefined {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? undefined : known.reduce((sum, score) => sum + score, 0) / known.length;
}
