import type { RunReport } from '@cuebook/host';
import { type ComposedTarget, loadConfig } from '@cuebook/profile';
import type { JsonValue } from '@cuebook/prompt';
import { commandLine } from '@cuebook/prompt/hint';
import type { TurnEvent, Usage } from '@cuebook/provider';
import { hidesReasoning } from '@cuebook/turn';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { typed } from '../hint/typed.js';
import { readInput } from '../input/flags.js';
import type { Io } from '../io.js';
import { problemLine } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { count, screenText, styleFor } from '../output/style.js';
import { openBench } from '../project/bench.js';
import { kindOf } from '../project/profiles.js';
import { type CalledTarget, composeWith, openCalled } from '../project/target.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { requireNewFile, writeNamedFile } from '../record/named-output.js';
import { carry } from '../run/carry.js';
import { exitCodeOf, runDocument } from '../run/document.js';
import { newCommandId } from '../run/door.js';
import { requireFitting } from '../run/fitting-flags.js';
import { budgetOf, requireNoAnswer } from '../run/go-on.js';
import { oneTurn } from '../run/one-turn.js';
import { openDoor } from '../run/open-door.js';
import { paramsNote } from '../run/params-note.js';
import { RUNNERS } from '../run/runners.js';
import { createTrace } from '../run/trace.js';
import { openVoices } from '../run/voice.js';

/** `cuebook run`: a whole run where the kind of target has one, and otherwise one turn. Exit code 1 when it failed. */
export const run: CommandHandler = async (call) => {
  const { args, flags } = call;
  const prefix = /^[a-z]+(?=:)/.exec(args[0] ?? '')?.[0];
  const isOwn = prefix !== undefined && (await isOwnKind(call, prefix));
  if (isOwn || kindOf(`${prefix}:`) !== undefined) requireFitting(call, prefix ?? '');
  const runner = RUNNERS[prefix ?? ''];
  if (runner !== undefined) return (await runner()).run(call);
  const begun = flagValue(flags, 'run');
  if (begun !== undefined) return (await import('../run/begun-run.js')).goOnBegun(call, begun);
  return isOwn ? (await import('../run/hosted-kind.js')).runKind(call) : runTurn(call);
};

/** Whether the project names a kind of run by this prefix, or it is one that only a host runs. */
async function isOwnKind({ flags, io }: Call, prefix: string): Promise<boolean> {
  if (prefix === 'resident') return true;
  if (kindOf(`${prefix}:`) !== undefined) return false;
  const { files } = await openBench(flags, io, []);
  const config = await loadConfig(files);
  return config.ok && Object.hasOwn(config.value.kinds ?? {}, prefix);
}

/** Says a target's prompt to a provider and keeps the record. */
async function runTurn(call: Call): Promise<number> {
  const { flags, io } = call;
  requireNoAnswer(flags);
  const budget = budgetOf(flags);
  const called = await openCalled(call);
  const input = await readInput(called.profile, flags, io);
  const prompt = await composeWith(called, input);
  for (const diagnostic of prompt.diagnostics) io.err(problemLine(io, 'err', diagnostic));
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  // What is wrong with the call is told before anything is written.
  const voice = (await openVoices(called.bench, call))(prompt.request);
  await voice.session.close();
  const note = paramsNote(voice.provider, prompt.params);
  if (note !== undefined) io.err(styleFor(io, 'err').yellow(note));
  const trace = createTrace();
  const isHidden = hidesReasoning(prompt.request);
  // Words that may still be refused are shown when they are taken.
  const isJudged = prompt.contract !== undefined;
  const place = await journalPlace(flags, io);
  return withOpened(place, async (journal) => {
    const { bench, text: target, profile } = called;
    const door = await openDoor(call, {
      ...{ home: place.home, journal, bench },
      kinds: async () => [oneTurn({ target, prompt, bench, judge: profile.judge })],
      isOwn: file !== undefined || !isServed(called, prompt, input),
      ...(file !== undefined && { overhear: trace.overhear, heard: trace.heard }),
    });
    try {
      const options = input as { readonly [name: string]: JsonValue } | undefined;
      const run = await door.start({
        ...{ id: newCommandId(), target },
        ...(options && { options }),
        ...(budget && { budget }),
      });
      await carry(door, run, {
        ...{ call, journal, cursor: { seq: 0 }, words: false, interrupted: 'stop' },
        show: (live) => {
          const event = live.event as TurnEvent;
          const isKept =
            (event.type === 'reasoning.delta' && isHidden) || (event.type === 'text.delta' && isJudged);
          if (!isKept) show(call, event);
        },
      });
      const report = await door.report(run);
      trace.answered(report);
      if (file !== undefined) await writeNamedFile(io, file, new TextEncoder().encode(trace.text()));
      if (isOn(flags, 'json')) await printJson(io, { ...runDocument(report, io), ...report.detail });
      else {
        if (isJudged && report.text !== '') await io.out(screenText(report.text, io.terminal.out));
        io.err(endText(report, io));
      }
      return exitCodeOf(report);
    } finally {
      await door.close();
    }
  });
}

/**
 * Whether a server tells the same prompt: one of the project, of the input that is handed in. Confidential words are
 * masked in what it answers, so a prompt that has some is told here.
 */
function isServed(
  { bench, profile }: CalledTarget,
  { blocks, diagnostics }: ComposedTarget,
  input: unknown,
): boolean {
  const isOfProject = SERVED.has(profile.prefix) && bench.project === bench.files;
  const isSample = input === undefined && diagnostics.some(({ code }) => code === 'W_SAMPLE_INPUT');
  const isPublic = blocks.every(({ pieces }) => pieces.every(({ secrecy }) => secrecy === 'public'));
  return isOfProject && !isSample && isPublic;
}

/** The kinds of targets whose turns a server tells. */
const SERVED: ReadonlySet<string> = new Set(['sheet', 'role', 'scenario']);

/** Words as they come; what is thought and done stands beside them. */
function show({ flags, io }: Call, event: TurnEvent): void {
  if (isOn(flags, 'json')) return;
  const style = styleFor(io, 'err');
  if (event.type === 'turn.start' && event.rehearsal) {
    io.err(style.yellow('rehearsal: a script answers, not a model\n'));
  }
  if (event.type === 'text.delta') void io.out(screenText(event.text, io.terminal.out));
  if (event.type === 'reasoning.delta') io.err(style.dim(screenText(event.text, io.terminal.err)));
  if (event.type === 'tool.end') io.err(style.cyan(`\n${screenText(toolLine(event), io.terminal.err)}\n`));
  if (event.type === 'log' && event.level !== 'info') {
    io.err(style.dim(`${screenText(event.text, io.terminal.err)}\n`));
  }
}

const toolLine = ({ name, input, by }: Extract<TurnEvent, { type: 'tool.end' }>): string =>
  `${name} ${JSON.stringify(input ?? null)}${by === 'caller' ? ' (asked for, not run)' : ''}`;

function endText({ run: id, status, error, reason, detail }: RunReport, io: Io): string {
  const style = styleFor(io, 'err');
  const mark = status === 'done' ? style.green('✓') : style.red('✗');
  const failure = status === 'done' ? '' : error === null ? reason : `${error.code} ${error.message}`;
  const { provider, model, tokens } = detail;
  const facts = [provider, ...(model === undefined ? [] : [model]), ...usageText(tokens)];
  return [
    `\n${mark} ${id} ${status}${failure ? `: ${failure}` : ''}`,
    style.dim(`  ${facts.join(' · ')}`),
    style.dim(`  ${typed(io, commandLine`explain ${id} --at 1:1`)}   where its words come from`),
    style.dim(`  ${typed(io, commandLine`replay ${id}`)}   what it was told, byte for byte`),
    '',
  ].join('\n');
}

function usageText(tokens: JsonValue | undefined): readonly string[] {
  const { inputTokens, outputTokens, costUsd } = (tokens ?? {}) as Partial<Usage>;
  if (inputTokens === undefined || outputTokens === undefined) return [];
  const cost = costUsd === undefined ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
  return [`${count(inputTokens, 'token')} in, ${outputTokens} out`, cost];
}
