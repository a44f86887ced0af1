import { askedParts, type JsonValue, type RunEventView } from '@cuebook/api';
import type { Style } from '../../output/style.js';
import { type EffectOutcome, resultOf, type ToldResult } from './call-result.js';

/** A line about a node; without a node nobody knows whose it is. */
export interface CallLine {
  readonly node: string;
  readonly text: string;
}

/** What becomes of the calls of nodes: commands and edits that were made, and what was refused or denied. */
export interface CallLines {
  take(event: RunEventView): readonly CallLine[];
}

/** Handing over and ending have lines of their own. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['send_handoff', 'finish_run']);

export function createCallLines(style: Style): CallLines {
  const calls = new Map<string, Call>();
  const effects = new Map<string, Call>();
  const turns = new Map<string, string>();
  const asked = new Map<string, { readonly node: string; readonly what: string }>();

  const ended = ({ node, name, input }: Call, { status, text }: ToldResult): readonly CallLine[] => {
    if (status === 'ok' && SHOWN_ELSEWHERE.has(name)) return [];
    const what = `${name} ${subject(input)}`;
    const said = firstLine(text);
    if (status === 'ok')
      return [{ node, text: `${style.green('✓')} ${what}${said && style.dim(` → ${said}`)}` }];
    return [{ node, text: style.red(`✗ ${what} ${WORDS[status] ?? status}${said && `: ${said}`}`) }];
  };
  const planned = (node: string, call: Planned): readonly CallLine[] => {
    const known = { node, name: call.name, input: call.input };
    calls.set(call.id, known);
    return call.plan === 'refuse' && call.result !== undefined ? ended(known, call.result) : [];
  };

  return {
    take({ type, data }) {
      const fields = (data ?? {}) as unknown as Fields;
      switch (type) {
        case 'turn.started':
          if (fields.node !== undefined && fields.effect !== undefined) turns.set(fields.effect, fields.node);
          return [];
        case 'turn.judged':
          return (fields.calls ?? []).flatMap((call) => planned(fields.node ?? '', call));
        case 'native.called':
          return typeof fields.call === 'object' ? planned(fields.node ?? '', fields.call) : [];
        case 'effect.intended': {
          const call = fields.kind === 'tool.call' ? calls.get(fields.input?.call ?? '') : undefined;
          const input = fields.input?.input ?? call?.input ?? null;
          if (call !== undefined && fields.id !== undefined) effects.set(fields.id, { ...call, input });
          return [];
        }
        case 'effect.settled': {
          const call = effects.get(fields.id ?? '');
          effects.delete(fields.id ?? '');
          return call === undefined || fields.outcome === undefined
            ? []
            : ended(call, resultOf(fields.outcome));
        }
        case 'call.settled': {
          const call = typeof fields.call === 'string' ? calls.get(fields.call) : undefined;
          return call === undefined || fields.result === undefined ? [] : ended(call, fields.result);
        }
        case 'approval.requested': {
          if (fields.id === undefined) return [];
          const node = calls.get(fields.about ?? '')?.node ?? turns.get(fields.about ?? '') ?? '';
          const what = `${fields.tool ?? ''} ${subject((fields.input ?? null) as JsonValue)}`.trim();
          asked.set(fields.id, { node, what });
          return [];
        }
        case 'approval.resolved': {
          const about = asked.get(fields.id ?? '');
          asked.delete(fields.id ?? '');
          if (about === undefined) return [];
          const by = fields.by === undefined ? '' : ` by ${fields.by}`;
          if (fields.decision === 'deny' || fields.decision === 'expire') {
            const words = fields.message ? `: ${firstLine(fields.message)}` : '';
            return [{ node: about.node, text: style.red(`✗ ${about.what} denied${by}${words}`) }];
          }
          const how = fields.decision === 'change' ? 'changed and allowed' : 'allowed';
          return [{ node: about.node, text: style.dim(`${about.what} ${how}${by}`) }];
        }
        default:
          return [];
      }
    },
  };
}

interface Call {
  readonly node: string;
  readonly name: string;
  readonly input: JsonValue;
}

interface Planned {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly plan: string;
  readonly result?: ToldResult;
}

/** The fields of the events that are read here; each event has some of them. */
interface Fields {
  readonly id?: string;
  readonly node?: string;
  readonly effect?: string;
  readonly kind?: string;
  readonly calls?: readonly Planned[];
  readonly call?: Planned | string;
  readonly input?: { readonly call?: string; readonly input?: JsonValue };
  readonly outcome?: EffectOutcome;
  readonly result?: ToldResult;
  readonly about?: string;
  readonly tool?: string;
  readonly decision?: string;
  readonly by?: string;
  readonly message?: string;
}

const WORDS: Readonly<Record<string, string>> = {
  error: 'failed',
  refused: 'refused',
  denied: 'not done: denied',
  expired: 'not done: nobody answered in time',
  stopped: 'not done: the run ended first',
  unknown: 'may or may not have been done',
};

/** What a call is about: its command, its file, or its input in short; where several fields could say it, all of it. */
export function subject(input: JsonValue): string {
  const { command, file } = askedParts({ input });
  const words = [command, file].filter((word) => word !== undefined);
  return firstLine(words.length === 1 ? (words[0] as string) : JSON.stringify(input));
}

const MAX = 120;

function firstLine(text: string): string {
  const [line = '', ...more] = text.trim().split('\n');
  return more.length > 0 || line.length > MAX ? `${line.slice(0, MAX).toWellFormed()} …` : line;
}
