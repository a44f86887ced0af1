import type { WaitView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { mayNotify } from '../shell/badge.js';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { Empty, ProblemView } from '../ui/problem.js';
import { runsQuery, waitingQuery } from '../wire/queries.js';
import { answerForms } from './answer-forms.js';
import { useAnswer } from './use-answer.js';
import { type Opened, WaitCard } from './wait-card.js';

/** Everything that only a person can settle, in runs of every kind, the oldest first. */
export function NeedsScreen(): ReactNode {
  const { data: waits, error } = useQuery(waitingQuery);
  return (
    <section className="screen narrow">
      <header className="screen-head">
        <h1>Needs you</h1>
        <NotifyButton />
      </header>
      <ProblemView error={error} />
      {waits?.length === 0 && (
        <Empty title="Nothing waits for you.">
          <p>
            When an agent asks, it is here, and the title of the page says so.{' '}
            <Link to="/runs">Look at runs</Link> or <Link to="/start">start work</Link>.
          </p>
        </Empty>
      )}
      {waits !== undefined && <WaitList waits={waits} />}
    </section>
  );
}

/** Things that wait, with one selected. The keys answer the selected one. */
export function WaitList({
  waits,
  inRun = false,
}: {
  readonly waits: readonly WaitView[];
  readonly inRun?: boolean;
}): ReactNode {
  const navigate = useNavigate();
  const { selected, select, listRef, keys } = useSelection(waits.map(keyOf));
  const [opened, setOpened] = useState<{ readonly key: string; readonly what: Opened }>();
  const { answer, said, error, isPending } = useAnswer();
  const { data: runs = [] } = useQuery({ ...runsQuery, enabled: !inRun && waits.length > 0 });
  const aboutOf = ({ run, name, target }: WaitView): string =>
    (name === null ? undefined : (runs.find((each) => each.run === run)?.goal ?? target)) ?? 'open the run';
  const wait = waits.find((each) => keyOf(each) === selected);
  const forms = wait && answerForms(wait);
  const open = (what: Opened) => () => wait && setOpened({ key: keyOf(wait), what });
  const decide = (grant: boolean) => () =>
    wait && answer(wait, { decision: 'allow', ...(grant && { grant }) });
  const first = forms?.choices[0];
  useKeys('Needs you', [
    ...(waits.length > 1 ? keys : []),
    ...(forms?.decides
      ? [
          { keys: 'a', label: 'Allow', run: decide(false) },
          ...(wait?.claimed
            ? []
            : [{ keys: 's', label: 'Allow this kind for the rest of the run', run: decide(true) }]),
          { keys: 'd', label: 'Deny, with words', run: open('deny') },
          { keys: 'e', label: 'Change it before it is done', run: open('change') },
        ]
      : []),
    ...(forms && forms.fields.length > 0 ? [{ keys: 'r', label: 'Answer', run: open('answer') }] : []),
    ...(wait && first
      ? [{ keys: 'a', label: first.label, run: () => answer(wait, { texts: [first.text] }) }]
      : []),
    ...(wait && !inRun
      ? [
          {
            keys: 'o',
            label: 'Open the run',
            run: () =>
              void navigate({
                to: '/runs/$run',
                params: { run: wait.run },
                search: wait.lane === null ? {} : { agent: wait.lane },
              }),
          },
        ]
      : []),
  ]);
  return (
    <div ref={listRef} className="waits">
      <p className="said" role="status">
        {said}
      </p>
      {waits.map((each) => (
        <WaitCard
          key={keyOf(each)}
          id={keyOf(each)}
          wait={each}
          about={inRun ? undefined : aboutOf(each)}
          isSelected={keyOf(each) === selected}
          isPending={isPending}
          error={error?.key === keyOf(each) ? error.error : undefined}
          opened={opened?.key === keyOf(each) ? opened.what : 'nothing'}
          onOpen={(what) => setOpened({ key: keyOf(each), what })}
          onSelect={() => select(keyOf(each))}
          onAnswer={(reply) => answer(each, reply)}
        />
      ))}
    </div>
  );
}

const keyOf = ({ run, id }: WaitView): string => `${run} ${id}`;

/** Asks the browser for notifications, where it has not been asked. */
function NotifyButton(): ReactNode {
  const [isAsked, setAsked] = useState(
    () => !('Notification' in window) || mayNotify() || Notification.permission === 'denied',
  );
  if (isAsked) return null;
  return (
    <button
      type="button"
      className="quiet-button"
      onClick={() => void Notification.requestPermission().then(() => setAsked(true))}
    >
      Tell me when something waits
    </button>
  );
}
