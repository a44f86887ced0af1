import { correctionBlock } from '@cuebook/bundle';
import { composeEvent, type EventRecord, findEvent, keepEvent, weekOf } from '@cuebook/platform';
import { composeRequest, describeRefusal } from '@cuebook/prompt';
import type { Script, TurnEvent } from '@cuebook/provider';
import type { TurnPrompt } from '@cuebook/turn';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { refusalFailure, requireDone } from '../../platform/describe.js';
import { byWhom, withPlatform } from '../../platform/open.js';
import { type Bench, openBench } from '../../project/bench.js';
import { journalPlace, withOpened } from '../../record/journal.js';
import { speakOnce } from '../../run/one-turn.js';
import { openVoices, readScriptOf } from '../../run/voice.js';

/** `cuebook platform event [--date DAY]`: the theme of the week's public event, asked for once a week. */
export const event: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  if (args.length > 0) throw usage('The day of an event is named by --date');
  const week = weekOf(flagValue(flags, 'date') ?? new Date().toISOString().slice(0, 10));
  if (week === undefined) throw usage('--date DAY is a day such as 2026-11-16');
  const bench = await openBench(flags, io);
  return withPlatform(flags, io, async (platform) => {
    const known = await findEvent(platform, week);
    if (known !== undefined) return show(call, known, true);
    const { blocks, params } = requireDone(await composeEvent(platform, week), week);
    await openVoices(bench, call);
    let script = await readScriptOf(call);
    let problems: readonly string[] = [];
    for (;;) {
      const note = problems.length === 0 ? [] : [correctionBlock('weekly_event', problems)];
      const told = { blocks: [...blocks, ...note], tools: [], params };
      const request = composeRequest({ ...told, hash: bench.hash, redactor: bench.redactor });
      if (!request.ok)
        throw new Failure('E_OUTPUT', request.error.map(describeRefusal).join(' '), { exit: 1 });
      const prompt = { ...told, request: request.value, diagnostics: [] };
      const { answer, rest } = await speak(call, { bench, prompt, script });
      script = rest;
      const kept = await keepEvent(platform, { week, answer, by: byWhom(flags, io) });
      if (kept.ok) return show(call, kept.value, false);
      // Asked once more with what was wrong, then refused.
      if (kept.error.code !== 'E_OUTPUT' || problems.length > 0)
        throw refusalFailure({ ...kept.error }, week);
      problems = kept.error.problems;
    }
  });
};

interface Asked {
  readonly bench: Bench;
  readonly prompt: TurnPrompt;
  readonly script: Script | undefined;
}

/** One turn on the record of the project, and what its script has left: each turn is a run, and a run begins a script. */
async function speak(call: Call, { bench, prompt, script }: Asked) {
  return withOpened(await journalPlace(call.flags, call.io), async (journal) => {
    let rest = script;
    const { run, status, text, error, reason } = await speakOnce({
      ...{ call, bench, journal, target: 'scenario:weekly_event', prompt },
      ...(script && { script: JSON.stringify(script) }),
      publish: (heard) => {
        rest = script && restOf(script, heard, rest);
      },
    });
    if (status === 'done') return { answer: text, rest };
    const { code = 'E_AGENT_TURN', message = `The turn ended: ${reason}.` } = error ?? {};
    throw new Failure(code, `${message} The record is ${run}.`, { exit: 1 });
  });
}

/** A script behind the step that a turn plays: the rehearsal calls its session `lane@step`. */
function restOf(whole: Script, heard: TurnEvent, rest: Script = whole): Script {
  const [, lane = '', step] =
    (heard.type === 'turn.start' && /^(.*)@(\d+)$/su.exec(heard.sessionId ?? '')) || [];
  const steps = whole.lanes[lane];
  return steps === undefined ? rest : { lanes: { ...rest.lanes, [lane]: steps.slice(Number(step) + 1) } };
}

async function show({ flags, io }: Call, record: EventRecord, known: boolean): Promise<number> {
  if (isOn(flags, 'json')) await printJson(io, { ...record, known });
  else {
    const { event: found, week, topic } = record;
    const { theme, description, suggested_roles: roles, duration_days: days, reward } = found;
    const lines = [
      `${week}: ${theme}${known ? ' (asked for before)' : ''}`,
      description,
      `roles: ${roles.join(', ')}; ${days} days; reward: ${reward}`,
      `Agents meet at topic/${topic}`,
    ];
    await io.out(`${lines.join('\n')}\n`);
  }
  return 0;
}
