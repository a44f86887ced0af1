import { ok, type Result } from '@cuebook/prompt';
import type { HostError, Reply } from './contract.js';
import { refuse } from './errors.js';
import type { Wait } from './wait.js';
import type { Word } from './word.js';

/**
 * The word that a reply means, for the forms that all kinds share: a decision about an approval, `yes` or `no`,
 * `not-done` and `unknown`, a number of turns, `resume`, `finish`, and words. A reply in another form is refused with
 * the forms that fit.
 */
export function replyWord(wait: Wait, reply: Reply): Result<Word, HostError> {
  if (!('texts' in reply)) {
    if (wait.for === 'approval') return ok({ type: 'approve', approval: wait.id, ...reply });
    return misfit(wait);
  }
  const text = reply.texts.join(' ').trim();
  const lane = wait.lane === null ? {} : { lane: wait.lane };
  switch (wait.for) {
    case 'approval': {
      const yes = YES_NO[text.toLowerCase()];
      if (yes === undefined) return misfit(wait);
      return ok({ type: 'approve', approval: wait.id, decision: yes ? 'allow' : 'deny' });
    }
    case 'outcome':
      return text === 'not-done' || text === 'unknown'
        ? ok({ type: 'settle', effect: wait.id, outcome: text })
        : misfit(wait);
    case 'budget': {
      const unit = UNITS.find((each) => wait.answers.includes(each.toUpperCase()));
      const amount = unit === 'usd' ? /^\d{1,9}(?:\.\d{1,6})?$/ : /^\d{1,9}$/;
      if (unit === undefined || !amount.test(text) || Number(text) === 0) return misfit(wait);
      return ok({ type: 'raise', to: { [unit]: Number(text) }, ...lane });
    }
    case 'left':
      return text === 'resume' ? ok({ type: 'go-on' }) : misfit(wait);
    default:
      if (text === 'resume' && wait.answers.includes('resume')) return ok({ type: 'resume', ...lane });
      if (text === 'finish' && wait.answers.includes('finish'))
        return ok({ type: 'finish', ok: true, summary: 'A person finished it.' });
      return text !== '' && wait.answers.includes('TEXT') ? ok({ type: 'say', text, ...lane }) : misfit(wait);
  }
}

/** A reply that does not fit what is asked. */
export const misfit = (
  { for: what, answers, example, reason }: Wait,
  why: string | null | undefined = what === 'budget' ? reason : ASKS[what],
): Result<never, HostError> =>
  refuse(
    'invalid',
    'E_REPLY',
    answers.length === 0
      ? 'This is not answered here: the command that began the run goes on with it.'
      : `${why ? `${why} ` : ''}Answer with ${answers.join(' or ')}, such as: ${example}`,
  );

/** What is wanted, where the forms of an answer do not say it. */
const ASKS: Readonly<Partial<Record<Wait['for'], string>>> = {
  approval: 'Something wants your permission.',
  outcome:
    'Say what happened to the call: not-done does it again, unknown tells the model that nobody knows.',
  input: 'The agent waits for a word.',
  loop: 'The agent waits for a word.',
};

const UNITS = ['turns', 'tokens', 'usd'] as const;

const YES_NO: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  allow: true,
  no: false,
  n: false,
  deny: false,
};
