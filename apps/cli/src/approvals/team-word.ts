import type { ApprovalView, Client } from '@cuebook/api';
import { usage } from '../failure.js';
import { requireAnswer } from '../team/require.js';

/** A person's word on a team that waits for something else than a permission. Undefined texts: no word was said. */
export function wordForTeam(
  row: ApprovalView,
  texts: readonly string[] | undefined,
): (client: Client) => Promise<void> {
  const { run, node } = row;
  const text = texts?.join(' ').trim() ?? '';
  const forms = row.answers ?? [];
  if (text === '' || (!forms.includes('TEXT') && !isForm(text, forms)))
    throw usage(`Say what is to become of it: \`${row.command}\` (${forms.join(' or ')})`);
  return async (client) => {
    if (row.for === 'outcome')
      requireAnswer(await client.resolveDoubt({ run, effect: row.id, outcome: OUTCOMES[text as Outcome] }));
    else if (row.for === 'budget') {
      const turns = Number(text);
      requireAnswer(await client.raiseBudget({ run, turns, ...(node === null ? {} : { node }) }));
    } else if (text === 'finish' && forms.includes('finish'))
      requireAnswer(await client.finishRun({ run, ok: true, summary: 'A person finished it.' }));
    else if (text !== 'resume' || !forms.includes('resume'))
      requireAnswer(await client.messageNode({ run, node: node ?? '', text, interrupt: false }));
    else if (row.id === run) requireAnswer(await client.resumeRun({ run }));
    else requireAnswer(await client.resumeNode({ run, node: node ?? '' }));
  };
}

/** A number of turns is a whole one that is more than none. */
const isForm = (text: string, forms: readonly string[]): boolean =>
  forms.includes('TURNS') ? /^[1-9]\d{0,8}$/.test(text) : forms.includes(text);

type Outcome = keyof typeof OUTCOMES;

const OUTCOMES = {
  'not-done': 'not-done',
  unknown: {
    ok: false,
    error: { code: 'E_TOOL_OUTCOME_UNKNOWN', message: 'Nobody can say whether it was done.' },
  },
} as const;
