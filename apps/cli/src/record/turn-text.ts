import {
  confidentialTexts,
  createMasker,
  type DeletionNote,
  type Masker,
  type RebuiltRequest,
  type RebuiltTurn,
} from '@cuebook/journal';
import { type JsonValue, type RenderDocument, renderDocument, type TokenCount } from '@cuebook/prompt';
import { renderText, type TextOptions } from '../output/render-text.js';
import { screenText } from '../output/style.js';
import { timeText } from './event-text.js';

/** A turn as `replay --json` shows it: the render document of the full prompt, and what is on record beside it. */
export interface ReplayDocument extends RenderDocument {
  readonly record: {
    readonly run: string;
    readonly turn: string;
    readonly lane: string;
    readonly seq: number;
    readonly at: string;
    readonly to: RebuiltTurn['to'];
    /** What was really sent, when it was less than the whole. */
    readonly delta: RenderDocument | null;
    readonly removed: readonly string[];
    readonly sends: RebuiltTurn['sends'];
    readonly end: JsonValue | null;
    readonly forgotten: readonly ShownDeletion[];
  };
}

export interface ShownDeletion {
  readonly part: string;
  readonly blob: string;
  readonly by?: string;
  readonly reason?: string;
}

export interface ReplayInput {
  readonly turn: RebuiltTurn;
  readonly notes: ReadonlyMap<string, DeletionNote>;
  readonly countTokens: (prompt: RebuiltRequest['prompt']) => TokenCount;
  readonly reveal: boolean;
}

/** Confidential text is masked unless it is to be revealed, also where the answer repeats it. */
export function replayDocument({ turn, notes, countTokens, reveal }: ReplayInput): ReplayDocument {
  const prompts = [turn.request, ...(turn.delta ? [turn.delta] : [])];
  const secrets = reveal ? [] : prompts.flatMap(({ prompt }) => confidentialTexts(prompt.blocks));
  const masker = createMasker(secrets);
  const shown = (request: RebuiltRequest): RenderDocument =>
    maskedDocument(
      renderDocument({
        profile: 'record',
        prompt: request.prompt,
        tools: request.tools,
        params: request.params,
        tokens: countTokens(request.prompt),
        reveal,
      }),
      masker,
    );
  const { run, lane, seq, to, sends, end, forgotten } = turn;
  return {
    ...shown(turn.request),
    record: {
      run,
      turn: turn.turn,
      lane,
      seq,
      at: timeText(turn.at),
      to,
      delta: turn.delta ? shown(turn.delta) : null,
      removed: turn.request.removed,
      sends,
      end: end ? masker.value(toJson({ ...end, at: timeText(end.at) })) : null,
      forgotten: forgotten.map((each) => {
        const note = notes.get(each.blob);
        return { ...each, ...(note && { by: note.by, ...(note.reason && { reason: note.reason }) }) };
      }),
    },
  };
}

/** The ids of the agent's session in a turn. */
export function sessionsOfTurn({ record: { to, end } }: ReplayDocument): readonly string[] {
  const { sessionId } = Object(end) as { readonly sessionId?: unknown };
  return [to.session, sessionId].filter((each) => typeof each === 'string');
}

/** Blocks are masked by their spans; what stands beside them has none, and is searched. */
function maskedDocument(document: RenderDocument, masker: Masker): RenderDocument {
  const { tools, params, messages, blocks } = document;
  const value = <Value>(of: Value): Value => masker.value(toJson(of)) as Value;
  return {
    ...document,
    tools: value(tools),
    params: value(params),
    messages: messages.map((message) =>
      message.toolCalls ? { ...message, toolCalls: value(message.toolCalls) } : message,
    ),
    blocks: blocks.map((block) => (block.calls ? { ...block, calls: value(block.calls) } : block)),
  };
}

const toJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

/** The same for people. */
export function replayText(document: ReplayDocument, options: TextOptions): string {
  const { style, isTerminal } = options;
  // What was found at the time holds no command line of this call.
  const shown = { ...options, isCounted: true, say: (line: string) => line };
  const { record } = document;
  const { to, delta, sends, forgotten } = record;
  const end = record.end as { reason?: string; text?: string; error?: { message?: string } } | null;
  const whom = [to.provider, to.model, to.rehearsal ? '(rehearsal)' : undefined].filter(Boolean).join(' ');
  const head = `${style.bold(`${record.run}@${record.turn}`)} · ${record.lane} · ${record.at} · to ${whom}\n\n`;
  const facts: [string, string][] = [
    ...sends.map((each): [string, string] => ['sent', `${each.channel} ${each.ordinal} ${each.hash}`]),
    ...forgotten.map(({ part, by, reason }): [string, string] => [
      'deleted',
      `${part}, on request${by ? ` of ${by}` : ''}${reason ? `: ${reason}` : ''}`,
    ]),
    ['ended', end === null ? 'not on record: open or interrupted' : (end.reason ?? '')],
    ...(end?.error?.message ? [['error', end.error.message] as [string, string]] : []),
  ];
  const rows = facts.map(([name, said]) => `${style.dim(name.padEnd(8))}${screenText(said, isTerminal)}\n`);
  return [
    screenText(head, false),
    renderText(document, shown),
    rows.join(''),
    ...(delta === null ? [] : [`\n${style.dim('── sent as a delta')}\n${renderText(delta, shown)}`]),
    ...(end?.text === undefined
      ? []
      : [`\n${style.dim('── answer')}\n${screenText(end.text, isTerminal).replace(/\n$/, '')}\n`]),
  ].join('');
}
