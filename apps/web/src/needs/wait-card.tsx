import type { WaitView } from '@cuebook/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Foreign } from '../ui/text.js';
import { Ago } from '../ui/time.js';
import { AnswerForm } from './answer-form.js';
import { answerForms } from './answer-forms.js';
import { ChangeForm, DenyForm } from './decision-forms.js';
import type { AnswerGiven } from './use-answer.js';
import { WaitBody } from './wait-body.js';
import { titleOf } from './wait-words.js';

/** Which form of a card is open. */
export type Opened = 'nothing' | 'deny' | 'change' | 'answer';

interface WaitCardProps {
  readonly id: string;
  readonly wait: WaitView;
  /** What the run is about; left out: the card is shown in its run. */
  readonly about?: string | undefined;
  readonly isSelected: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly opened: Opened;
  readonly onOpen: (what: Opened) => void;
  readonly onSelect: () => void;
  readonly onAnswer: (reply: AnswerGiven) => void;
}

/** Something that waits, with all that is needed to answer it. */
export function WaitCard(props: WaitCardProps): ReactNode {
  const { wait, opened, onOpen, onAnswer, isPending } = props;
  const forms = answerForms(wait);
  const close = () => onOpen('nothing');
  return (
    <article
      className="card wait"
      data-key={props.id}
      data-selected={props.isSelected}
      tabIndex={-1}
      aria-label={plain(titleOf(wait))}
      onFocus={props.onSelect}
    >
      <header>
        <h2>
          <Foreign text={titleOf(wait)} />
        </h2>
        <p className="quiet">
          {wait.kind} ·{' '}
          {props.about !== undefined && (
            <>
              <Link
                to="/runs/$run"
                params={{ run: wait.run }}
                search={wait.lane === null ? {} : { agent: wait.lane }}
              >
                <Foreign text={props.about} />
              </Link>{' '}
              ·{' '}
            </>
          )}
          <Ago at={wait.since} />
          {wait.expiresAt !== null && ` · until ${new Date(wait.expiresAt).toLocaleTimeString()}`}
        </p>
      </header>
      <WaitBody wait={wait} />
      {forms.decides && opened === 'nothing' && (
        <div className="buttons">
          <Key onPress={() => onAnswer({ decision: 'allow' })} disabled={isPending} letter="a" isMain>
            Allow
          </Key>
          {!wait.claimed && (
            <Key onPress={() => onAnswer({ decision: 'allow', grant: true })} disabled={isPending} letter="s">
              Allow this kind
            </Key>
          )}
          <Key onPress={() => onOpen('change')} disabled={isPending} letter="e">
            Change …
          </Key>
          <Key onPress={() => onOpen('deny')} disabled={isPending} letter="d">
            Deny …
          </Key>
        </div>
      )}
      {opened === 'deny' && forms.decides && (
        <DenyForm
          onCancel={close}
          isPending={isPending}
          onDeny={(message) => onAnswer({ decision: 'deny', ...(message !== '' && { message }) })}
        />
      )}
      {opened === 'change' && forms.decides && (
        <ChangeForm
          wait={wait}
          isPending={isPending}
          onCancel={close}
          onChange={(input) => onAnswer({ decision: 'change', input })}
        />
      )}
      {!forms.decides && (
        <AnswerForm
          forms={forms}
          isOpen={opened === 'answer'}
          isPending={isPending}
          onCancel={close}
          onAnswer={(texts) => onAnswer({ texts: [...texts] })}
        />
      )}
      <ProblemView error={props.error} />
    </article>
  );
}

function Key(props: {
  readonly letter: string;
  readonly isMain?: boolean;
  readonly disabled: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <button
      type="button"
      className={props.isMain ? 'main-button' : ''}
      disabled={props.disabled}
      onClick={props.onPress}
    >
      {props.children} <kbd>{props.letter}</kbd>
    </button>
  );
}
