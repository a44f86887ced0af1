import type { StepRunView } from '@cuebook/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { counted } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { Empty } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { answeredBy } from './answered-by.js';
import { shown } from './verdict.js';

type Take = StepRunView['takes'][number];

/** A run that serves another one: which, and each of its takes with what came of it. */
export function StepBody({ document }: { readonly document: StepRunView }): ReactNode {
  const { what, of, metric, variants, takes } = document;
  const missing = takes.filter(({ score }) => score === null).length;
  const { selected, listRef, keys } = useSelection(takes.map((_, at) => String(at)));
  useKeys('Takes', [...keys]);
  return (
    <>
      <p>
        {metric !== '' && (
          <>
            {what === 'judge' ? 'What the judge ' : 'Scored by '}
            <strong>{plain(metric)}</strong>
            {what === 'judge' && ' said of answers, one by one'}.{' '}
          </>
        )}
        {of !== null && (
          <Link to="/runs/$run/comparison" params={{ run: of }} search={{}}>
            The run that it belongs to
          </Link>
        )}
        {of === null && what === 'judge' && 'It judged its anchors first.'}
      </p>
      <p className="quiet">
        {counted(takes.length, what === 'judge' ? 'judgement' : 'take')}
        {missing > 0 && `, ${missing} without a score`}
        {answeredBy(document.models)}.
      </p>
      {variants.some(({ edits }) => edits.length > 0) && (
        <ul>
          {variants.map(({ name, edits }) => (
            <li key={name}>
              {plain(name)}: {edits.length === 0 ? 'the prompt as it is' : plain(edits.join(', '))}
            </li>
          ))}
        </ul>
      )}
      {takes.length === 0 && (
        <Empty title="No takes yet.">
          <p>Takes appear here while the command runs.</p>
        </Empty>
      )}
      <div className="rows" ref={listRef}>
        {takes.map((take, at) => (
          <TakeRow
            key={`${take.variant} ${take.turn ?? at} ${take.case}`}
            take={take}
            isJudged={what === 'judge'}
            place={{ key: String(at), isSelected: selected === String(at) }}
          />
        ))}
      </div>
    </>
  );
}

function TakeRow(props: {
  readonly take: Take;
  readonly isJudged: boolean;
  readonly place: { readonly key: string; readonly isSelected: boolean };
}): ReactNode {
  const { take, isJudged, place } = props;
  const { case: id, variant, turn, score, missing } = take;
  const judged = isJudged ? placeOf(id) : undefined;
  const told = turn === null ? undefined : placeOf(turn);
  return (
    <div className="row" data-key={place.key} data-selected={place.isSelected}>
      <span className="row-main">
        <Foreign text={id} className="strong" />
        {!isJudged && <span className="quiet">{plain(variant)}</span>}
      </span>
      <span className={score === null ? 'quiet' : score > 0 ? 'good' : 'bad'}>
        {score === null ? plain(missing ?? 'no score') : isJudged ? (score > 0 ? 'yes' : 'no') : shown(score)}
      </span>
      {judged !== undefined && (
        <Link to="/runs/$run/turns/$turn" params={judged} search={{}}>
          what was judged
        </Link>
      )}
      {told !== undefined && (
        <Link to="/runs/$run/turns/$turn" params={told} search={{}}>
          its prompt
        </Link>
      )}
    </div>
  );
}

/** The page of a turn on record; undefined for what is none, such as an anchor. */
function placeOf(name: string): { readonly run: string; readonly turn: string } | undefined {
  const [, run, turn] = /^(run_[A-Za-z0-9]+)@(.+)$/su.exec(name) ?? [];
  return run === undefined || turn === undefined ? undefined : { run, turn };
}
