import type { JsonValue } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { told } from '../../hint/typed.js';
import { isAtTerminal } from '../../io.js';
import { problemLine } from '../../output/diagnostics.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { type Connected, withServer } from '../../team/connect.js';
import { type GivenLimits, LIMIT_WORDS, readLimits } from '../../team/limits.js';
import { followPlainly } from '../../team/plain.js';
import { requireAnswer } from '../../team/require.js';
import { attachTo } from '../../team/session/session.js';
import { shownLink } from '../../team/shown-link.js';
import { documentOf, endText, exitOf } from '../../team/text/report.js';
import { screenValue } from '../../team/text/screen-value.js';
import { newCommandId } from '../door.js';
import { budgetOf, requireNoAnswer } from '../go-on.js';
import { leftText, startHosted, youLeft } from '../server-door.js';

/**
 * `cuebook run team:FILE --goal TEXT`: starts a team. At a terminal the person is attached to it; elsewhere plain
 * lines are printed until the run is over or waits for a person, which is exit code 1.
 */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const [target = ''] = call.args;
  const file = target.replace(/^team:/, '');
  for (const name of ['provider', 'model', 'trace', 'node', 'node-provider', 'global-mode'] as const) {
    if (flags[name] !== undefined) throw usage(`--${name} has no place in a run of a team: ${INSTEAD[name]}`);
  }
  if (file === '') throw usage(`Name a team file: ${hint`run team:team.yaml --goal TEXT`}`);
  const begun = flagValue(flags, 'run');
  if (begun !== undefined) return (await import('../begun-run.js')).goOnBegun(call, begun);
  requireNoAnswer(flags);
  if (flags.input !== undefined)
    throw usage('--input is a word to a team at work, with --run RUN: what a new run is for says --goal');
  const goal = flagValue(flags, 'goal');
  const limits = limitsOf(flagValues(flags, 'limit'));
  const budget = budgetOf(flags);
  return withServer(call, async (connected) => {
    const { run: started, diagnostics } = await startHosted(connected.client, call, {
      ...{ id: newCommandId(), target: `team:${file}` },
      ...(goal === undefined ? {} : { input: goal }),
      ...(budget === undefined ? {} : { budget }),
      ...(limits === undefined ? {} : { options: { limits: limits as JsonValue } }),
    });
    if (!isOn(flags, 'json')) {
      for (const each of diagnostics) io.err(problemLine(io, 'err', { ...each } as never));
    }
    return follow(call, connected, started, { after: 0 });
  });
};

/** `--limit NAME=NUMBER`. */
function limitsOf(given: readonly string[]): GivenLimits | undefined {
  if (given.length === 0) return undefined;
  const limits = readLimits(given);
  if (typeof limits !== 'string') return limits;
  throw usage(`--limit is NAME=NUMBER, each name once, with one of ${LIMIT_WORDS}; "${limits}" is not`);
}

/** What has no place in a run of a team, and what has its place there. */
const INSTEAD = {
  provider: 'each node names its own in the team file',
  model: 'each node names its own in the team file',
  trace: `${hint`log`} and ${hint`replay`} have every event and request`,
  node: 'the team decides who begins',
  'node-provider': 'each node names its own in the team file',
  'global-mode': 'the team file says it, and a person changes it while it runs',
} as const;

/** Watches a run that was started or gone on with, in the way that fits where the words go. */
export async function follow(
  call: Call,
  connected: Connected,
  run: string,
  { after }: { readonly after?: number } = {},
): Promise<number> {
  const { flags, io } = call;
  const { client, isOwn } = connected;
  const style = styleFor(io, 'err');
  const json = isOn(flags, 'json');
  if (!json) io.exactErr(style.dim(`${run}   ${shownLink(connected, io)}\n`));
  const isAttached = isAtTerminal(io) && !json;
  const view = isAttached
    ? await attachTo({ client, run, io, after })
    : await followPlainly({ client, run, io, after, silent: json });
  if (json) await printJson(io, documentOf(view, requireAnswer(await client.getReport({ run })), io));
  else if (!isAttached) io.err(told(io, endText(screenValue(view, io), style)));
  else if (!view.quiet) io.err(told(io, `${leftText(run, { isOwn })}\n`));
  if (io.stop.aborted) throw youLeft(run, { isOwn });
  return exitOf(view);
}
