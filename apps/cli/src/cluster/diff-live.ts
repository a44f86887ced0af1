import { type Call, flagValue, flagValues, isOn } from '../command.js';
import { usage } from '../failure.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { styleFor } from '../output/style.js';
import { changeReport, changeText } from './change-report.js';
import { liveName } from './is-live.js';
import { openLive } from './live.js';
import { renderLive } from './render-live.js';

/**
 * `cuebook diff --cluster -f FILE`: what applying the files would change: which Agents get new words, what these demand,
 * and whose pods roll. Exit code 1 when anything does.
 */
export async function diffLive(call: Call): Promise<number> {
  const { args, flags, io } = call;
  if (flagValues(flags, 'file').length === 0) throw usage('diff --cluster needs the files to apply: -f FILE');
  if (args.length > 0 && liveName(args[0]) === undefined)
    throw usage(`With --cluster an Agent is named agent/NAME, not ${args[0]}`);
  if (args.length > 1) throw usage('diff --cluster compares with the cluster: it takes one Agent at most');
  if (liveName(args[0]) !== undefined || flagValue(flags, 'agent') !== undefined) return renderLive(call);
  const live = await openLive(call);
  const { podChanges } = await import('@cuebook/operator');
  const report = await withProgress(
    io,
    'Composing every Agent',
    changeReport({
      bench: live.bench,
      before: live.before.manifests,
      after: live.after.manifests,
      pods: podChanges(live.before.objects, live.after.objects),
      reveal: isOn(flags, 'reveal'),
    }),
  );
  if (isOn(flags, 'json')) await printJson(io, report);
  else await io.out(changeText(report, { style: styleFor(io, 'out'), isTerminal: io.terminal.out }));
  return report.agents.length === 0 ? 0 : 1;
}
