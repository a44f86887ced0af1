import type { AblationView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { counted, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { turnQuery } from '../wire/queries.js';
import { answeredBy } from './answered-by.js';
import { heatOf, strengthOf } from './heat.js';
import { shown, signed } from './verdict.js';

type Unit = AblationView['units'][number];

/** What each part of a prompt does to the answers, as a heat over its own text. */
export function AblationBody(props: {
  readonly document: AblationView;
  readonly told: string | null;
}): ReactNode {
  const { document, told } = props;
  const { design, units, joint, pairs, coverage, missing, cost, metric } = document;
  const { selected, select, listRef, keys } = useSelection(units.map((_, at) => String(at)));
  useKeys('Ablation', [...keys]);
  return (
    <>
      <p>
        <Foreign text={document.target} />
      </p>
      <p className="quiet">
        What {plain(metric)} loses without each part: {counted(units.length, 'part')},{' '}
        {counted(design.cases, 'case')}, {counted(design.takes, 'take')} each, margin {shown(design.margin)}
        {design.canSee !== null && `, can see ${shown(design.canSee)}`}
        {cost !== null && `, ${money(cost)}`}
        {answeredBy(document.models)}. {coverage.sensed} of {coverage.units} are noticed by a case.
      </p>
      {missing.count > 0 && <p className="bad">{counted(missing.count, 'take')} missing.</p>}
      <ul className="heat-legend" aria-label="Signs">
        {Object.entries(SIGNS).map(([verdict, { sign, words }]) => (
          <li key={verdict}>
            <span className={`heat heat-${verdict.replace(' ', '-')} strength-3`}>{sign}</span> {words}
          </li>
        ))}
      </ul>
      <div className="comparison-body">
        <div className="column">
          <h2>The prompt</h2>
          <Heat told={told} units={units} selected={selected} onSelect={select} />
        </div>
        <div className="column">
          <h2>Its parts</h2>
          {units.length === 0 && (
            <Empty title="No part was left out.">
              <p>
                Try another kind of part: <code>cuebook ablate TARGET --units part</code>.
              </p>
            </Empty>
          )}
          <div className="rows" ref={listRef}>
            {units.map((unit, at) => (
              <button
                key={unit.edit}
                type="button"
                className="row case-row"
                data-key={String(at)}
                data-selected={selected === String(at)}
                aria-pressed={selected === String(at)}
                onClick={() => select(String(at))}
              >
                <UnitRow unit={unit} />
              </button>
            ))}
          </div>
          {joint !== null && (
            <p className={joint.isSafe ? 'good' : 'bad'}>
              {joint.isSafe
                ? `${counted(joint.units.length, 'part')} can be removed together: `
                : `${counted(joint.units.length, 'part')} cannot all be removed together: `}
              {plain(joint.units.join(', '))}
            </p>
          )}
          {pairs.map(({ units: [one = '', other = ''], adds }) => (
            <p key={`${one} ${other}`} className="bad">
              {plain(one)} and {plain(other)} replace each other: without both {signed(-adds)}.
            </p>
          ))}
        </div>
      </div>
    </>
  );
}

/** Never a colour alone: each verdict has a sign. */
const SIGNS: Readonly<Record<Unit['verdict'], { readonly sign: string; readonly words: string }>> = {
  helps: { sign: '+', words: 'helps' },
  harms: { sign: '−', words: 'harms' },
  within: { sign: '=', words: 'does no more than the margin' },
  open: { sign: '?', words: 'not known yet' },
  'not exercised': { sign: '∅', words: 'no case exercises it' },
};

function UnitRow({ unit }: { readonly unit: Unit }): ReactNode {
  const { text, file, line, tokens, verdict, adds, interval, sensors } = unit;
  return (
    <>
      <span className="row-main">
        <Foreign text={text} />
        <span className="quiet">
          {file !== null && plain(`${file}${line === null ? '' : `:${line}`}`)} ·{' '}
          {counted(Math.round(tokens), 'token')}
          {sensors.length > 0 && ` · noticed by ${plain(sensors.slice(0, 3).join(', '))}`}
          {sensors.length > 3 && ` and ${sensors.length - 3} more`}
        </span>
      </span>
      <span className={verdict === 'helps' ? 'good' : verdict === 'harms' ? 'bad' : 'quiet'}>
        <span aria-hidden="true">{SIGNS[verdict].sign}</span> {verdict}
      </span>
      {adds !== null && (
        <span className="quiet nowrap">
          {signed(adds)}
          {interval !== null && ` [${signed(interval.low)}, ${signed(interval.high)}]`}
        </span>
      )}
    </>
  );
}

/** The words of the prompt as a take was told them, each part in the colour of what it does. */
function Heat(props: {
  readonly told: string | null;
  readonly units: readonly Unit[];
  readonly selected: string | undefined;
  readonly onSelect: (unit: string) => void;
}): ReactNode {
  const { told, units, selected } = props;
  const [run = '', turn = ''] = (told ?? '').split('@');
  const { data, error, isPending } = useQuery({ ...turnQuery(run, turn, false), enabled: told !== null });
  const blocks = useMemo(
    () => (data?.full.blocks ?? []).map((block) => ({ ...block, runs: heatOf(block.text, units) })),
    [data, units],
  );
  if (told === null) return <p className="quiet">No take is recorded yet.</p>;
  return (
    <div className="heat-text">
      <ProblemView error={error} />
      {isPending && <p className="quiet">Reading the prompt …</p>}
      {blocks.map(({ name, role, hash, runs }) => (
        <section key={`${name} ${hash}`}>
          <h3>
            {plain(name)} <span className="quiet">{role}</span>
          </h3>
          <p className="heat-words">
            {runs.map(({ text, start, unit }) => {
              const found = unit === undefined ? undefined : units[unit];
              if (found === undefined) return <span key={start}>{plain(text)}</span>;
              const { verdict, adds } = found;
              return (
                <button
                  key={start}
                  type="button"
                  className={`heat heat-${verdict.replace(' ', '-')} strength-${strengthOf(adds)}`}
                  data-selected={selected === String(unit)}
                  title={`${verdict}${adds === null ? '' : ` ${signed(adds)}`}`}
                  onClick={() => props.onSelect(String(unit))}
                >
                  <span className="heat-sign" aria-hidden="true">
                    {SIGNS[verdict].sign}
                  </span>
                  {plain(text)}
                  <span className="unseen"> ({verdict})</span>
                </button>
              );
            })}
          </p>
        </section>
      ))}
      <Link to="/runs/$run/turns/$turn" params={{ run, turn }} search={{}}>
        The prompt with its sources
      </Link>
    </div>
  );
}
