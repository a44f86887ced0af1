import type { LiveView } from '@cuebook/api';
import type { RunReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type Call, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { printJson } from '../output/json.js';
import { count, screenText, styleFor } from '../output/style.js';
import { type Connected, withServer } from '../team/connect.js';
import { requireAnswer } from '../team/require.js';
import { screenValue } from '../team/text/screen-value.js';
import { exitCodeOf, runDocument } from './document.js';
import { newCommandId } from './door.js';
import { budgetOf, requireNoAnswer } from './go-on.js';
import { startHosted, watchHosted } from './server-door.js';

/**
 * `cuebook run KIND:TARGET` for a kind that has no command of its own: it is started at the server of the project, or at
 * one in this process, and shown until it stands still.
 */
export function runKind(call: Call): Promise<number> {
  const { args, flags, io } = call;
  requireNoAnswer(flags);
  if (flagValue(flags, 'trace') !== undefined) throw usage('--trace is for kinds that come with Cuebook');
  return withServer(call, async (connected) => {
    const { client, isOwn } = connected;
    const [target = ''] = args;
    const input = flagValue(flags, 'input');
    const budget = budgetOf(flags);
    const { run } = await startHosted(client, call, {
      id: newCommandId(),
      target,
      ...(input === undefined ? {} : { input }),
      ...(budget === undefined ? {} : { budget }),
    });
    if (!isOn(flags, 'json')) io.err(styleFor(io, 'err').dim(`${run}\n`));
    const code = await showHosted(call, connected, { run, after: 0 });
    // What goes on by itself would be left without a process.
    const { status, kind } = requireAnswer(await client.getReport({ run }));
    if (isOwn && kind === 'resident' && status === 'idle') requireAnswer(await client.stopRun({ run }));
    return code;
  });
}

/** Shows a run of any kind until it stands still, and how it stands then. */
export async function showHosted(
  { flags, io }: Call,
  { client, isOwn }: Pick<Connected, 'client' | 'isOwn'>,
  { run, after }: { readonly run: string; readonly after: number },
): Promise<number> {
  const isJson = isOn(flags, 'json');
  const show = ({ event }: LiveView): void => {
    if (!isJson && event.type === 'text.delta') void io.out(screenText(event.text, io.terminal.out));
  };
  await watchHosted(client, { run: run as RunId, after, io, isOwn, show });
  const report = requireAnswer(await client.getReport({ run })) as RunReport;
  const document = runDocument(report, io);
  if (isJson) await printJson(io, { ...document, detail: report.detail });
  else io.err(endText(screenValue(document, io), styleFor(io, 'err')));
  return exitCodeOf(report);
}

function endText(
  { run: id, kind, status, text, error, next, turns }: ReturnType<typeof runDocument>,
  style: ReturnType<typeof styleFor>,
): string {
  const mark = status === 'done' ? style.green('✓') : error ? style.red('✗') : style.yellow('…');
  const why = error ? `: ${error.code} ${error.message}` : text === '' ? '' : `: ${text}`;
  const go = next === undefined ? '' : style.dim(`  go on: ${next}\n`);
  return `\n${mark} ${id} ${kind} ${status}${why}\n${style.dim(`  ${count(turns, 'turn')}\n`)}${go}`;
}
