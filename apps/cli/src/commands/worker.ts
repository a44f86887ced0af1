import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { hearPrints } from '../output/hear-prints.js';
import { printJson } from '../output/json.js';
import { isJsonLog, processLog } from '../output/process-log.js';
import { styleFor } from '../output/style.js';
import { openBenchAt } from '../project/bench.js';
import { findProject } from '../project/find.js';
import { journalPlace, withDatabase } from '../record/journal.js';
import { VERSION } from '../version.js';

/** `cuebook worker`: does the work of a project's runs, until it is told to end. */
export const run: CommandHandler = async (call) => {
  const giveBack = hearPrints(call, 'worker');
  return work(call).finally(giveBack);
};

async function work(call: Call): Promise<number> {
  const { flags, io } = call;
  const { startWorker } = await import('@cuebook/server');
  const folder = await findProject(io.cwd, flagValue(flags, 'project'));
  const { redactor, context } = await openBenchAt(folder, io, []);
  const { home } = await journalPlace(flags, io);
  const env = withDatabase(flags, io.env);
  const take = shareOf(call);
  const started = await startWorker({
    ...{
      folder,
      home,
      env,
      redactor,
      context,
      take,
      version: VERSION,
      ...processLog(call),
      ...probesOf(call),
    },
  });
  if (!started.ok) throw new Failure(started.error.code, started.error.message, { exit: 3 });
  const { project, worker, probes, asked, drain } = started.value;
  if (isOn(flags, 'json'))
    await printJson(io, { project, worker, pid: process.pid, ...(probes && { probes }), ...take });
  else
    await io.out(
      `${styleFor(io, 'out').green('✓')} Working on runs of ${project}. Ctrl-C lets turns under way end, and leaves the rest to others.\n`,
    );
  await Promise.race([untilStopped(call), asked]);
  await drain();
  if (!isOn(flags, 'json') && !isJsonLog(call)) io.err('Stopped. Other workers go on.\n');
  return 0;
}

/** Where the worker says how it is. */
function probesOf({ flags }: Call) {
  const given = flagValue(flags, 'probes');
  if (given === undefined) return {};
  const [, host = '127.0.0.1', port = ''] =
    /^(?:(\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\]):)?(\d{1,5})$/i.exec(given) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw usage(`--probes takes a port, or an address and a port such as 0.0.0.0:9464, not ${given}`);
  return { probes: { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } };
}

/** Resolves when the process is told to end. */
export const untilStopped = ({ io }: Call): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      io.wait?.();
      resolve();
    };
    if (io.stop.aborted) end();
    else io.stop.addEventListener('abort', end, { once: true });
  });

/** What this process takes of the work. */
export function shareOf({ flags }: Call) {
  const text = flagValue(flags, 'parallel');
  if (text !== undefined && !(/^\d{1,4}$/.test(text) && Number(text) <= 1_000))
    throw usage(`--parallel takes a number up to 1000, not ${text}`);
  const kinds = namesOf('kinds', flagValues(flags, 'kinds'), /^[a-z][a-z0-9-]{0,39}$/);
  const labels = namesOf('labels', flagValues(flags, 'labels'), /^[a-z0-9][a-z0-9._-]{0,39}$/);
  return {
    ...(text === undefined ? {} : { parallel: Number(text) }),
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(labels.length === 0 ? {} : { labels }),
  };
}

function namesOf(flag: string, given: readonly string[], form: RegExp): readonly string[] {
  const all = given.flatMap((each) => each.split(',')).map((each) => each.trim());
  const bad = all.find((each) => !form.test(each));
  if (bad !== undefined)
    throw usage(`--${flag} takes names with commas between them, not ${JSON.stringify(bad)}`);
  return [...new Set(all)];
}
