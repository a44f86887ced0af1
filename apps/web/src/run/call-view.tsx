import type { JsonValue } from '@cuebook/api';
import type { ReactNode } from 'react';
import { plain } from '../ui/plain.js';
import { Foreign, Verbatim } from '../ui/text.js';
import type { StoryCall } from './story.js';

/** A call: its name and outcome in one line, its arguments and result behind it. */
export function CallView({ call }: { readonly call: StoryCall }): ReactNode {
  const input = call.input === undefined ? '' : inLine(call.input);
  return (
    <details className="call">
      <summary>
        <span className={`sign ${call.status}`} aria-hidden="true">
          {SIGNS[call.status]}
        </span>{' '}
        <code>{plain(call.name)}</code> <Foreign text={input} className="one-line call-input" />
        <span className="call-status">{WORDS[call.status]}</span>
      </summary>
      {call.decision !== null && (
        <p className="quiet">
          <Foreign text={call.decision} />
        </p>
      )}
      {call.input !== undefined && <Verbatim label="Arguments" text={JSON.stringify(call.input, null, 2)} />}
      {call.output !== null && (
        <Verbatim label="Result" text={call.output === '' ? '(no words)' : call.output} />
      )}
    </details>
  );
}

function inLine(input: JsonValue): string {
  if (typeof input !== 'object' || input === null) return String(input);
  const values = Object.values(input).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return values.join(' · ').replace(/\s+/g, ' ').slice(0, 200);
}

const SIGNS: Readonly<Record<StoryCall['status'], string>> = {
  open: '●',
  asked: '◔',
  ok: '✓',
  error: '✕',
  refused: '✕',
  denied: '✕',
  expired: '✕',
  stopped: '■',
  unknown: '?',
};

const WORDS: Readonly<Record<StoryCall['status'], string>> = {
  open: 'at work',
  asked: 'waits for you',
  ok: 'done',
  error: 'failed',
  refused: 'refused',
  denied: 'denied',
  expired: 'not answered in time',
  stopped: 'stopped',
  unknown: 'nobody knows',
};
