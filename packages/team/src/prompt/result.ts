import type { CallResult } from '@cuebook/engine';
import { type JsonValue, type LabelledShell, safeJson } from '@cuebook/prompt';
import type { CallNote } from '../call/scan.js';
import type { Made } from '../graph/envelope.js';
import { phrase, quoted, stated, told } from './say.js';
import { diffFields } from './work-report.js';

/** Something that came of a turn and that its node is told at the next one. Plain JSON. */
export type TurnResult =
  | {
      readonly kind: 'call';
      /** Ours. */
      readonly call: string;
      /** The agent's own. */
      readonly given: string;
      readonly tool: string;
      readonly result: CallResult;
    }
  | { readonly kind: 'note'; readonly note: CallNote }
  | { readonly kind: 'verification'; readonly failure: string | null }
  /** Files that were changed against the rules, and are set aside. */
  | {
      readonly kind: 'flag';
      readonly files: readonly string[];
      readonly rule: string;
      /** The patch that holds them. */
      readonly ref?: string;
    }
  /** What the turn changed, by the reference under which others read it. */
  | ({ readonly kind: 'diff' } & Omit<Made, 'turn'>)
  /** The run could not be finished as it was asked. */
  | { readonly kind: 'unfinished'; readonly why: string }
  /** A person's answer to what the agent asked in the turn before this one, which was cut off. */
  | {
      readonly kind: 'answer';
      readonly tool: string;
      /** What was asked for, or what is allowed in its place. */
      readonly input: JsonValue;
      readonly decision: 'allow' | 'deny' | 'change' | 'expire';
      readonly message: string | null;
    }
  /** The turn before this one did not end as it should. */
  | { readonly kind: 'ending'; readonly reason: string; readonly message: string };

/**
 * Whether a result gives the agent something to act on, so that it is asked again by itself. That a handoff was
 * sent or an edge made needs no answer; neither does an example in a fence, or one that a command printed.
 */
export function wakes(result: TurnResult): boolean {
  switch (result.kind) {
    case 'call':
      return result.result.status !== 'ok' || !ACKNOWLEDGED.has(result.tool);
    case 'note':
      return result.note.rule !== 'fence' && result.note.rule !== 'output';
    case 'verification':
      return result.failure !== null;
    case 'flag':
    case 'answer':
    case 'unfinished':
      return true;
    case 'diff':
    case 'ending':
      return false;
  }
}

const ACKNOWLEDGED: ReadonlySet<string> = new Set([
  'spawn_node',
  'create_edge',
  'send_handoff',
  'finish_run',
]);

/** A result as a part of the task payload. What tools and agents wrote is fenced. */
export function resultShell(result: TurnResult): LabelledShell {
  switch (result.kind) {
    case 'call': {
      const { status, code, text } = result.result;
      return {
        header: 'TOOL_RESULT',
        fields: [
          { key: 'call', value: stated(result.call, 'call') },
          ...(result.given === '' ? [] : [{ key: 'id', value: quoted(result.given, AGENT) }]),
          { key: 'tool', value: quoted(result.tool, AGENT) },
          { key: 'status', value: stated(status, 'call') },
          ...(code === undefined ? [] : [{ key: 'code', value: stated(code, 'call') }]),
        ],
        // JSON stays JSON, and of the same value.
        body: [quoted(safeJson(text) ?? text, { trust: 'tool', ref: `result of ${result.call}` })],
        closed: true,
      };
    }
    case 'note': {
      const { rule, line, message, sample } = result.note;
      return {
        header: 'CALL_NOTE',
        fields: [
          { key: 'code', value: stated('E_CALL_FORM', 'call note') },
          { key: 'rule', value: stated(rule, 'call note') },
          { key: 'line', value: stated(String(line), 'call note') },
          { key: 'written', value: quoted(sample, AGENT) },
          { key: 'fix', value: quoted(message, AGENT) },
        ],
        closed: true,
      };
    }
    case 'verification':
      return {
        header: 'VERIFY_RESULT',
        fields: [{ key: 'status', value: stated(result.failure === null ? 'passed' : 'failed', 'verify') }],
        ...(result.failure === null
          ? {}
          : { body: [quoted(result.failure, { trust: 'tool', ref: 'verify' })] }),
        closed: true,
      };
    case 'flag':
      return {
        header: 'CHANGES_FLAGGED',
        fields: [
          { key: 'rule', value: stated(result.rule, 'change check') },
          {
            key: 'setAside',
            value: result.files.map((file) => phrase(stated('./', 'change check'), quoted(file, AGENT))),
          },
          ...(result.ref === undefined
            ? []
            : [{ key: 'kept', value: stated(`[patch] ${result.ref}`, 'change check') }]),
        ],
        closed: true,
      };
    case 'diff':
      return {
        header: 'TURN_DIFF',
        fields: diffFields([result]),
        closed: true,
      };
    case 'unfinished':
      return {
        header: 'RUN_NOT_FINISHED',
        fields: [],
        body: [quoted(result.why, { trust: 'tool', ref: 'finish' })],
        closed: true,
      };
    case 'answer':
      return {
        header: 'APPROVAL_ANSWER',
        fields: [
          { key: 'tool', value: quoted(result.tool, AGENT) },
          { key: 'answer', value: told(`approval.${result.decision}`) },
          ...(result.message === null
            ? []
            : [{ key: 'reason', value: quoted(result.message, { trust: 'user', ref: 'approval' }) }]),
        ],
        body: [quoted(jsonText(result.input), AGENT)],
        closed: true,
      };
    case 'ending':
      return {
        header: 'LAST_TURN',
        fields: [{ key: 'ended', value: stated(result.reason, 'turn') }],
        body: [quoted(result.message, { trust: 'tool', ref: 'turn' })],
        closed: true,
      };
  }
}

/** JSON stays JSON, and of the same value. */
function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value);
  return safeJson(text) ?? text;
}

const AGENT = { trust: 'agent', ref: 'answer' } as const;
