import type { Client, LiveView, RunSummaryView } from '@cuebook/api';
import type { RunReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { type Call, type Handler, isOn } from '../command.js';
import { printJson } from '../output/json.js';
import { count, screenText, styleFor } from '../output/style.js';
import { runDocument } from '../run/document.js';
import { followHosted } from '../run/hosted.js';
import { follow } from '../run/team/run.js';
import { withServer } from '../team/connect.js';
import { requireAnswer, requireTeamRun } from '../team/require.js';
import { screenValue } from '../team/text/screen-value.js';

/**
 * `cuebook attach [RUN]`: watches a run. A team also does what is typed; a run of another kind is shown until it stands
 * still, with the command that goes on.
 */
export const run: Handler = (call) =>
  withServer(call, async (connected) => {
    const other = await findOther(connected.client, call.args[0]);
    if (other !== undefined) return watch(call, connected.client, other.run as RunId);
    const id = await requireTeamRun(connected.client, call.args[0]);
    return follow(call, connected, id);
  });

/** A run of another kind than a team, by its id or the beginning of it. */
async function findOther(client: Client, named: string | undefined): Promise<RunSummaryView | undefined> {
  if (named === undefined) return undefined;
  const { runs } = requireAnswer(await client.listRuns({ limit: 200 }));
  const exact = runs.filter(({ run: id }) => id === named);
  const begins = runs.filter(({ run: id }) => id.startsWith(named) || id.startsWith(`run_${named}`));
  const [only, ...more] = exact.length > 0 ? exact : begins;
  return more.length === 0 && only?.kind !== 'team' ? only : undefined;
}

async function watch({ flags, io }: Call, client: Client, id: RunId): Promise<number> {
  const isJson = isOn(flags, 'json');
  const before = requireAnswer(await client.getReport({ run: id }));
  const show = ({ event }: LiveView): void => {
    if (!isJson && event.type === 'text.delta') void io.out(screenText(event.text, io.terminal.out));
  };
  await followHosted(client, { run: id, after: before.seq, io, show });
  const report = requireAnswer(await client.getReport({ run: id })) as RunReport;
  const document = runDocument(report, io);
  if (isJson) await printJson(io, { ...document, detail: report.detail });
  else io.err(endText(screenValue(document, io), styleFor(io, 'err')));
  return report.status === 'done' ? 0 : 1;
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
