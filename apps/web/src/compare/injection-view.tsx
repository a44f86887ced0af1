import type { InjectionView } from '@cuebook/api';
import { type ReactNode, useState } from 'react';
import { Heads } from '../ui/heads.js';
import { counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty } from '../ui/problem.js';
import { Scrolled } from '../ui/scrolled.js';
import { Foreign } from '../ui/text.js';
import { answeredBy } from './answered-by.js';
import { useNamedCase, useOpenCase } from './open-case.js';
import { RatePlot } from './rate-plot.js';
import { TakeTranscripts } from './take-transcripts.js';
import { shown, signed } from './verdict.js';

type Row = InjectionView['all'];
type Case = InjectionView['cases'][number];

/** What an injection suite found: utility and attack success, always side by side, and every case with its transcripts. */
export function InjectionBody(props: { readonly run: string; readonly document: InjectionView }): ReactNode {
  const { run, document } = props;
  const { suite, design, all, kinds, targets, categories, places, told, held, missing, costUsd } = document;
  const { difference } = all.utility;
  return (
    <>
      <p>
        <Foreign text={suite} />: {counted(design.cases, 'attack')} on {counted(design.tasks, 'user task')},{' '}
        {counted(design.takes, 'take')} each{costUsd !== null && `, ${money(costUsd)}`}
        {answeredBy(document.models)}
      </p>
      <div className="rates">
        {NUMBERS.map(({ name, of }) => (
          <article key={name} className="card" aria-label={name}>
            <h2>{name}</h2>
            <RatePlot rate={of(all)} />
          </article>
        ))}
      </div>
      <p className="quiet">
        {difference === null
          ? 'What attacks cost in utility is not known.'
          : `Utility under attack minus without: ${signed(difference.mean)}${difference.interval === null ? '' : `, between ${signed(difference.interval.low)} and ${signed(difference.interval.high)} (95 %)`}.`}{' '}
        The model was told the attack in {told.yes} of {counted(told.of, 'take')}.
        {held > 0 && ` ${counted(held, 'attack')} that succeeded waited for a person.`}
      </p>
      {missing.takes > 0 && (
        <p className="bad">
          Missing: {missing.takes} of {counted(missing.of, 'take')} (
          {Object.entries(missing.reasons)
            .map(([reason, count]) => `${plain(reason)} ${count}`)
            .join(', ')}
          )
        </p>
      )}
      <Rows title="By attack" rows={categories} />
      <Rows title="By place" rows={places} />
      <Rows title="By kind of run" rows={kinds} />
      {targets.length > 0 && <Rows title="By agent" rows={targets} />}
      <Cases run={run} cases={document.cases} />
    </>
  );
}

const NUMBERS: readonly { readonly name: string; readonly of: (row: Row) => Row['attack'] }[] = [
  { name: 'Utility without an attack', of: ({ utility }) => utility.plain },
  { name: 'Utility under attack', of: ({ utility }) => utility.attacked },
  { name: 'Attack success', of: ({ attack }) => attack },
];

function Rows({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }): ReactNode {
  return (
    <section className="card">
      <h2>{title}</h2>
      <Scrolled className="table-scroll" label={title}>
        <table>
          <Heads names={[title.slice('By '.length), 'utility', 'under attack', 'attack success']} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <Foreign text={row.name} />
                </th>
                {NUMBERS.map(({ name, of }) => (
                  <td key={name}>
                    <Rate rate={of(row)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </section>
  );
}

function Rate({ rate }: { readonly rate: Row['attack'] }): ReactNode {
  if (rate === null) return 'no score';
  const { interval } = rate;
  return (
    <>
      {shown(rate.rate)}{' '}
      <span className="quiet small">
        {interval === null ? '[unknown]' : `[${shown(interval.low)}, ${shown(interval.high)}]`}
      </span>
    </>
  );
}

/** Cases that are listed at a time: a suite has hundreds. */
const PAGE = 100;

/** Every case, attacks that succeeded first. One that is open shows what was said and done. */
function Cases(props: { readonly run: string; readonly cases: readonly Case[] }): ReactNode {
  const named = useNamedCase();
  const [most, setMost] = useState(PAGE);
  const sorted = props.cases.toSorted((one, other) => weightOf(other) - weightOf(one));
  const cases = sorted.filter(({ id }, at) => at < most || id === named);
  const { listRef, isOpen, take, goToTake, rowOf } = useOpenCase(
    cases.map(({ id }) => id),
    { screen: 'Injection suite', open: 'Open or close the transcript' },
  );
  return (
    <section>
      <h2>Cases</h2>
      {cases.length === 0 && (
        <Empty title="No case has been tried yet.">
          <p>Cases appear here while the command runs.</p>
        </Empty>
      )}
      <div className="rows" ref={listRef}>
        {cases.map((each) => (
          <div key={each.id}>
            <button type="button" className="row case-row" {...rowOf(each.id)}>
              <span className="row-main">
                <Foreign text={each.task} className="strong" />
                <span className="quiet">
                  {each.category === null
                    ? 'without an attack'
                    : plain(
                        [each.category, each.place, each.goal].filter((part) => part !== null).join(' · '),
                      )}
                </span>
              </span>
              <Marks label="useful" marks={each.utility} />
              {each.attack !== null && <Marks label="attack succeeded" marks={each.attack} isBad />}
            </button>
            {isOpen(each.id) && (
              <TakeTranscripts
                run={props.run}
                id={each.id}
                isAttacked={each.category !== null}
                take={take}
                onTake={goToTake}
              />
            )}
          </div>
        ))}
      </div>
      {sorted.length > cases.length && (
        <button type="button" onClick={() => setMost(most + PAGE)}>
          Show more of {counted(sorted.length, 'case')}
        </button>
      )}
    </section>
  );
}

/** Attacks that succeeded come first, then those that cost utility; cases without an attack come last. */
function weightOf({ attack, utility }: Case): number {
  if (attack === null) return -1;
  const share = (marks: readonly (boolean | null)[], wanted: boolean): number =>
    marks.filter((mark) => mark === wanted).length / Math.max(1, marks.length);
  return 10 * share(attack, true) + share(utility, false);
}

/** By take: a word where there is one take, else how many. Never a colour alone. */
function Marks(props: {
  readonly label: string;
  readonly marks: readonly (boolean | null)[];
  readonly isBad?: boolean;
}): ReactNode {
  const { label, marks, isBad = false } = props;
  const known = marks.filter((mark) => mark !== null);
  const yes = known.filter((mark) => mark).length;
  const tone = known.length === 0 ? 'quiet' : yes > 0 === isBad ? 'bad' : 'good';
  const told =
    known.length === 0
      ? 'unknown'
      : marks.length === 1
        ? yes === 1
          ? 'yes'
          : 'no'
        : `${yes} of ${known.length}`;
  return (
    <span className={`${tone} nowrap`}>
      {label}: {told}
    </span>
  );
}
