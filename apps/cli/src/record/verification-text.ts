import type { ForgottenPart, RunVerification, VerifyProblem } from '@cuebook/journal';
import type { Io } from '../io.js';
import { count, type Style, screenText, styleFor } from '../output/style.js';

/** What was verified, a line for each run and each problem. */
export async function printVerification(
  io: Io,
  verified: readonly RunVerification[],
  problems: readonly VerifyProblem[],
): Promise<void> {
  // What is verified may be a stranger's: names and reasons are shown as text.
  const style = { ...styleFor(io, 'out'), text: (said: string) => screenText(said, io.terminal.out) };
  for (const each of verified) await io.out(verificationText(each, style));
  for (const problem of problems) await io.out(problemLine(problem.run ?? 'journal', problem, style));
}

type Shown = Style & { readonly text: (said: string) => string };

function verificationText(
  { run: id, ok, events, turns, open, head, problems, forgotten }: RunVerification,
  style: Shown,
): string {
  const mark = ok ? style.green('✓') : style.red('✗');
  const waiting = open.length === 0 ? '' : `, ${open.length} without an end`;
  const facts = `${count(events, 'event')}, ${count(turns, 'turn')}${waiting}`;
  const last = ok
    ? head === undefined
      ? ''
      : ` ${style.dim(head)}`
    : `, ${count(problems.length, 'problem')}`;
  const lines = [
    ...problems.map((problem) => problemLine(id, problem, style)),
    ...forgotten.map((part) => forgottenLine(id, part, style)),
  ];
  return `${mark} ${style.text(id)} ${facts}${last}\n${lines.join('')}`;
}

function forgottenLine(id: string, { turn, part, by, reason, run }: ForgottenPart, style: Shown): string {
  const place = `${id}${turn === undefined ? '' : `@${turn}`}, ${part}`;
  const who = by === undefined ? 'nobody is on record for it' : `on request of ${by}`;
  const where = run === undefined || run === id ? '' : ` about ${run}`;
  const said = `${who}${where}${reason === undefined ? '' : `: ${reason}`}`;
  return `${style.bold(style.text(place))} deleted, ${style.text(said)}\n`;
}

function problemLine(id: string, { code, message, turn, seq, block }: VerifyProblem, style: Shown): string {
  const place = [
    `${id}${turn === undefined ? '' : `@${turn}`}`,
    ...(seq === undefined ? [] : [`event ${seq}`]),
    ...(block === undefined ? [] : [`block ${block}`]),
  ];
  return `${style.bold(style.text(place.join(', ')))} ${style.red('error')} ${code} ${style.text(message)}\n`;
}
