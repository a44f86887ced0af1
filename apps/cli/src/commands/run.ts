import type { TurnOutcome } from '@cuebook/engine';
import type { GatedRequest } from '@cuebook/prompt';
import { commandLine } from '@cuebook/prompt/hint';
import type { TurnEvent } from '@cuebook/provider';
import { type Call, flagValue, type Handler, isOn } from '../command.js';
import { typed } from '../hint/typed.js';
import { readInput } from '../input/flags.js';
import type { Io } from '../io.js';
import { problemLine } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { count, screenText, styleFor } from '../output/style.js';
import { composeWith, openCalled } from '../project/target.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { requireNewFile, writeNamedFile } from '../record/named-output.js';
import { runDocument } from '../run/document.js';
import { type Answer, newRunId, speakOnce } from '../run/one-turn.js';
import { RUNNERS } from '../run/runners.js';
import { createTrace } from '../run/trace.js';
import { openVoice, type Voice } from '../run/voice.js';

/** `cuebook run`: a whole run where the kind of target has one, and otherwise one turn. Exit code 1 when it failed. */
export const run: Handler = async (call) => {
  const runner = RUNNERS[/^[a-z]+(?=:)/.exec(call.args[0] ?? '')?.[0] ?? ''];
  return runner === undefined ? runTurn(call) : (await runner()).run(call);
};

/** Says a target's prompt to a provider and keeps the record. */
async function runTurn(call: Call): Promise<number> {
  const { flags, io } = call;
  const called = await openCalled(call);
  const { request, diagnostics } = await composeWith(called, await readInput(called.profile, flags, io));
  for (const diagnostic of diagnostics) io.err(problemLine(io, 'err', diagnostic));
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const voice = await openVoice(called.bench, request, call);
  const trace = createTrace();
  const id = newRunId();
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const answer = await speakOnce({
      run: id,
      journal,
      voice: { ...voice, session: trace.overhear(voice.session) },
      request,
      stop: io.stop,
      publish: (event) => {
        trace.heard(event);
        if (event.type !== 'reasoning.delta' || !hidesReasoning(request.params)) show(call, event);
      },
    });
    trace.answered(answer.turn);
    if (file !== undefined) await writeNamedFile(io, file, new TextEncoder().encode(trace.text()));
    if (isOn(flags, 'json')) await printJson(io, documentOf(call, answer, voice, request));
    else io.err(endText(answer, voice, io));
    return answer.status === 'done' ? 0 : 1;
  });
}

/** Words as they come; what is thought and done stands beside them. */
function show({ flags, io }: Call, event: TurnEvent): void {
  if (isOn(flags, 'json')) return;
  const style = styleFor(io, 'err');
  if (event.type === 'turn.start' && event.rehearsal) {
    io.err(style.yellow('rehearsal: a script speaks, not a model\n'));
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

function endText({ run: id, status, turn }: Answer, voice: Voice, io: Io): string {
  const style = styleFor(io, 'err');
  const mark = status === 'done' ? style.green('✓') : style.red('✗');
  const failure = status !== 'done' ? `${turn.end.code ?? turn.end.reason} ${turn.end.message ?? ''}` : '';
  const facts = [voice.provider.name, ...(voice.model ? [voice.model] : []), ...usageText(turn)];
  return [
    `\n${mark} ${id} ${status}${failure && `: ${failure}`}`,
    style.dim(`  ${facts.join(' · ')}`),
    style.dim(`  ${typed(io, commandLine`replay ${id}`)}   what it was told, byte for byte`),
    '',
  ].join('\n');
}

function usageText({ usage }: TurnOutcome): readonly string[] {
  const { inputTokens, outputTokens, costUsd } = usage ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return [];
  const cost = costUsd === undefined ? 'cost unknown' : `$${costUsd.toFixed(4)}`;
  return [`${count(inputTokens, 'token')} in, ${outputTokens} out`, cost];
}

/** What `--json` answers. */
const documentOf = (
  { args, io }: Call,
  { run: id, status, turn }: Answer,
  voice: Voice,
  { prompt, params }: GatedRequest,
) => ({
  ...runDocument(
    {
      ...{ run: id, kind: 'turn', target: args[0] ?? null, status, reason: turn.end.reason, text: turn.text },
      error: status === 'failed' ? errorOf(turn) : null,
      ...{ turns: 1, usage: spentOf(turn), waits: [] },
    },
    io,
  ),
  provider: voice.provider.name,
  ...(voice.model && { model: voice.model }),
  rehearsal: turn.rehearsal === true,
  hash: prompt.hash,
  ...(turn.reasoning !== undefined && !hidesReasoning(params) && { reasoning: turn.reasoning }),
  calls: turn.calls,
  tokens: turn.usage ?? null,
  end: turn.end,
});

const errorOf = ({ end }: TurnOutcome) => ({
  code: end.code ?? 'E_AGENT_TURN',
  message: end.message ?? `The turn ended: ${end.reason}.`,
});

function spentOf({ usage }: TurnOutcome) {
  if (usage === undefined) return null;
  const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = usage;
  return { turns: 1, tokens: inputTokens + outputTokens, usd: costUsd };
}

/** Whether the definition of a prompt keeps what is thought from whoever asks. */
function hidesReasoning({ providerOptions }: GatedRequest['params']): boolean {
  const { cuebook } = (providerOptions ?? {}) as {
    readonly cuebook?: { readonly reasoning?: { readonly exclude?: boolean } };
  };
  return cuebook?.reasoning?.exclude === true;
}
