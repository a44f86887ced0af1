import type { ReportView, WaitView } from '@cuebook/api';
import type { Widget } from '@cuebook/workflow';
import { questionLines } from '../run/workflow/report.js';
import { subject } from '../team/text/call-lines.js';

/** What a run that stands still wants of the person, in words; empty where it wants nothing. */
export function wantedText({ waits }: Pick<ReportView, 'waits'>): string {
  return waits
    .filter(({ for: what }) => what !== 'folder')
    .map(waitText)
    .join('\n\n');
}

function waitText(wait: WaitView): string {
  const { for: what, name, tool, input, reason } = wait;
  const who = name === null ? '' : `${name}: `;
  if (what === 'question')
    return `${questionLines(input as unknown as Widget)
      .map((line) => line.replace(/^ {2}/, ''))
      .join('\n')}\n\n${answerText(wait)}`;
  if (what === 'approval' || what === 'outcome')
    return `${who}${`${tool} ${subject(input)}`.trim()} still waits for your decision. Your next message asks for it again.`;
  return `${who}${reason ?? 'The run waits for you.'}${wait.answers.length === 0 ? '' : `\n\n${answerText(wait)}`}`;
}

/** How the next message answers it. */
function answerText({ answers, example }: WaitView): string {
  const forms = answers.map((form) => (form === 'TEXT' ? 'your words' : form));
  const such = example === '' || answers.includes('TEXT') ? '' : `, such as: ${example}`;
  return `Answer with ${forms.join(' or ')}${such}`;
}

/** A person's words as the texts of an answer: a form has one for each field, everything else is one text. */
export function answerTexts({ for: what, input }: WaitView, text: string): string[] {
  const { type } = Object(input) as { readonly type?: unknown };
  return what === 'question' && type === 'form'
    ? text.split('\n').filter((line) => line.trim() !== '')
    : [text];
}
