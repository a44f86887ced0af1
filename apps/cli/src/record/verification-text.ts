import type { Verification, VerifyProblem } from '@cuebook/journal';
import type { Io } from '../io.js';
import { count, type Style, styleFor } from '../output/style.js';

/** What was verified, a line for each run and each problem. */
export async function printVerification(
  io: Io,
  verified: readonly Verification[],
  problems: readonly VerifyProblem[],
): Promise<void> {
  const style = styleFor(io, 'out');
  for (const each of verified) await io.out(verificationText(each, style));
  for (const problem of problems) await io.out(problemLine(problem.run ?? 'journal', problem, style));
}

function verificationText(
  { run: id, ok, events, turns, open, head, problems }: Verification,
  style: Style,
): string {
  const mark = ok ? style.green('✓') : style.red('✗');
  const waiting = open.length === 0 ? '' : `, ${open.length} without an end`;
  const facts = `${count(events, 'event')}, ${count(turns, 'turn')}${waiting}`;
  const last = ok
    ? head === undefined
      ? ''
      : ` ${style.dim(head)}`
    : `, ${count(problems.length, 'problem')}`;
  const lines = problems.map((problem) => problemLine(id, problem, style));
  return `${mark} ${id} ${facts}${last}\n${lines.join('')}`;
}

function problemLine(id: string, { code, message, turn, seq, block }: VerifyProblem, style: Style): string {
  const place = [
    `${id}${turn === undefined ? '' : `@${turn}`}`,
    ...(seq === undefined ? [] : [`event ${seq}`]),
    ...(block === undefined ? [] : [`block ${block}`]),
  ];
  return `${style.bold(place.join(', '))} ${style.red('error')} ${code} ${message}\n`;
}
