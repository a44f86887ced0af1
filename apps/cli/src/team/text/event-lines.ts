import type { Followed, JsonValue, RunEventView, RunView } from '@cuebook/api';
import type { Style } from '../../output/style.js';
import { LIMIT_NAMES } from '../limits.js';
import { createCallLines, subject } from './call-lines.js';

/** Turns what is heard of a run into lines for a person, each with the alias of its node in front. */
export interface EventLines {
  /** The lines that this adds, each with its line break. Words of a node come when their line is whole. */
  take(followed: Followed): string;
  /** The alias of a node. */
  name(node: string): string;
}

/** `names` is every node that is known at the beginning; nodes that are added are learned. */
export function createEventLines(view: Pick<RunView, 'nodes'>, style: Style): EventLines {
  const names = new Map(view.nodes.map(({ id, alias, label }) => [id, alias ?? label]));
  const effects = new Map<string, { readonly kind: string; readonly node: string }>();
  const words = new Map<string, string>();
  const calls = createCallLines(style);
  const name = (node: string): string => names.get(node) ?? node;
  const width = () => Math.min(16, Math.max(4, ...[...names.values()].map((each) => each.length)));
  const say = (node: string, text: string): string =>
    text
      .split('\n')
      .map((line) => `${style.cyan(name(node).padEnd(width()))} ${line}\n`)
      .join('');

  const flush = (node: string): string => {
    const left = words.get(node) ?? '';
    words.delete(node);
    return left.trim() === '' || isCall(left) ? '' : say(node, left);
  };
  const spoken = (node: string, more: string): string => {
    const all = (words.get(node) ?? '') + more;
    const end = all.lastIndexOf('\n');
    words.set(node, all.slice(end + 1));
    const lines = all
      .slice(0, Math.max(0, end))
      .split('\n')
      .filter((line) => !isCall(line));
    const text = lines.join('\n').replace(/^\n+|\n+$/g, '');
    return text.trim() === '' ? '' : say(node, text);
  };
  const live = (heard: Extract<Followed, { type: 'live' }>['live']): string => {
    const { node, event } = heard;
    switch (event.type) {
      case 'text.delta':
        return spoken(node, event.text);
      case 'tool.end': {
        // What the caller runs is shown when it was run, or refused.
        if (event.by === 'caller') return flush(node);
        const what = `${event.name} ${subject(event.input ?? null)}`;
        const why = typeof event.output === 'string' ? `: ${firstLine(event.output)}` : '';
        const line =
          event.isError === true ? style.red(`✗ ${what} not done${why}`) : `${style.green('✓')} ${what}`;
        return flush(node) + say(node, line);
      }
      case 'turn.end':
        return flush(node);
      case 'log':
        return event.level === 'info' ? '' : say(node, style.dim(event.text));
      default:
        return '';
    }
  };

  const recorded = ({ type, data }: RunEventView): string => {
    const fields = (data ?? {}) as Readonly<Record<string, JsonValue>>;
    const node = typeof fields.node === 'string' ? fields.node : '';
    switch (type) {
      case 'node.added': {
        const added = fields.node as { readonly id: string; readonly alias?: string; readonly label: string };
        names.set(added.id, added.alias ?? added.label);
        return '';
      }
      case 'turn.started':
        return say(node, style.dim(`turn ${String(fields.turn)} begins`));
      case 'turn.closed':
        return (
          flush(node) +
          (fields.reason === 'done' ? '' : say(node, style.red(`turn ${String(fields.reason)}`)))
        );
      case 'envelope.sent': {
        const { fromNodeId, toNodeId, payload } = fields as unknown as Envelope;
        return (
          flush(fromNodeId) +
          say(fromNodeId, `${style.bold(`→ ${name(toNodeId)}`)} ${firstLine(payload.message)}`)
        );
      }
      case 'effect.intended': {
        const input = fields.input as { readonly node?: string } | null;
        if (typeof fields.kind === 'string' && STEPS.has(fields.kind))
          effects.set(String(fields.id), { kind: fields.kind, node: input?.node ?? '' });
        return '';
      }
      case 'effect.settled':
        return settled(String(fields.id), fields.outcome as unknown as Outcome);
      case 'changes.flagged':
        return say(node, style.red(`removed, against the rules: ${list(fields.files)}`));
      case 'node.held':
        return say(node, style.red(`holds: ${holdText(fields.hold)}`));
      case 'run.moded': {
        const { before, after, by } = fields as unknown as Moded;
        const changed = [
          ...(before.mode === after.mode ? [] : [after.mode]),
          ...(before.globalMode === after.globalMode ? [] : [after.globalMode]),
        ];
        return changed.length === 0
          ? ''
          : `${style.yellow(`The run is ${changed.join(' and ')} now`)} (${by})\n`;
      }
      case 'node.configured': {
        const { before, after } = fields as unknown as { before: { id: string }; after: { id: string } };
        const keys = Object.keys({ ...before, ...after }).filter(
          (key) => JSON.stringify(Reflect.get(before, key)) !== JSON.stringify(Reflect.get(after, key)),
        );
        return say(after.id, style.yellow(`set: ${keys.join(', ')}`));
      }
      case 'budget.raised': {
        const { scope, limit } = fields as unknown as {
          scope: string;
          limit: Readonly<Record<string, unknown>>;
        };
        const whose = scope.startsWith('node/') ? ` of ${name(scope.slice('node/'.length))}` : '';
        const most = Object.entries(limit).flatMap(([unit, value]) =>
          value === null ? [] : [`${value} ${unit}`],
        );
        return `${style.yellow(`The limit${whose} is ${most.join(', ')} now`)}\n`;
      }
      case 'run.paused':
        return `${style.yellow('The run is paused')}${pauseText(fields)}\n`;
      case 'run.finishing': {
        const all = (fields.waits ?? []) as unknown as readonly Owed[];
        const waits = all.filter(({ node: id }) => id !== fields.by);
        const owed = waits.map(({ node: id, what }) => `${what.join(', ')} of ${name(id)}`).join('; ');
        return owed === '' ? '' : `${style.dim(`The run is done when these are in: ${owed}`)}\n`;
      }
      case 'run.unfinished':
        return `${style.yellow(`The run is not done: ${firstLine(String(fields.why))}`)}\n`;
      case 'run.updated':
        return `${style.yellow('The run uses other sources from here on')} (${String(fields.by)})\n`;
      case 'run.limited':
        return `${style.dim(`Limits now: ${limitWords(fields.after)} (${String(fields.by)})`)}\n`;
      case 'run.resumed':
        return `${style.dim(`The run goes on (${String(fields.by)})`)}\n`;
      default:
        return '';
    }
  };

  const settled = (id: string, outcome: Outcome): string => {
    const effect = effects.get(id);
    effects.delete(id);
    if (effect === undefined) return '';
    if (!outcome.ok)
      return say(effect.node, style.red(`${effect.kind} failed: ${outcome.error?.message ?? ''}`));
    const output = (outcome.output ?? {}) as {
      readonly files?: readonly string[];
      readonly failure?: string | null;
    };
    if (effect.kind === 'diff.take')
      return (output.files ?? []).length === 0
        ? ''
        : say(effect.node, style.green(`changed ${list(output.files)}`));
    if (effect.kind !== 'verify.run') return '';
    return typeof output.failure === 'string'
      ? say(effect.node, style.red(`checks failed\n${output.failure.split('\n').slice(0, 12).join('\n')}`))
      : say(effect.node, style.green('checks passed'));
  };

  return {
    name,
    take(followed) {
      if (followed.type === 'live') return live(followed.live);
      if (followed.type !== 'event') return '';
      const about = calls
        .take(followed.event)
        .map(({ node, text }) => (node === '' ? `${text}\n` : flush(node) + say(node, text)));
      return recorded(followed.event) + about.join('');
    },
  };
}

interface Owed {
  readonly node: string;
  readonly what: readonly string[];
}

interface Moded {
  readonly before: { readonly mode: string; readonly globalMode: string };
  readonly after: { readonly mode: string; readonly globalMode: string };
  readonly by: string;
}

interface Envelope {
  readonly fromNodeId: string;
  readonly toNodeId: string;
  readonly payload: { readonly message: string };
}

interface Outcome {
  readonly ok: boolean;
  readonly output?: JsonValue;
  readonly error?: { readonly message: string };
}

/** A call is shown by what comes of it. */
const isCall = (line: string): boolean => /^\s*\{\s*"tool_call"/.test(line);

const STEPS: ReadonlySet<string> = new Set(['diff.take', 'verify.run', 'diff.set-aside']);

const firstLine = (text: string): string => {
  const [line = '', ...more] = text.split('\n');
  return more.length > 0 || line.length > 160 ? `${line.slice(0, 160)} …` : line;
};

const list = (files: unknown): string => {
  const names = Array.isArray(files) ? files.map(String) : [];
  return names.length <= 6
    ? names.join(', ')
    : `${names.slice(0, 6).join(', ')} and ${names.length - 6} more`;
};

function holdText(hold: unknown): string {
  const { kind, message, by } = (hold ?? {}) as { kind?: string; message?: string; by?: string };
  return [kind ?? '', message ?? (by === undefined ? '' : `by ${by}`)].filter(Boolean).join(', ');
}

const pauseText = ({ kind, by }: Readonly<Record<string, JsonValue>>): string =>
  by === undefined ? `: ${String(kind)}` : ` by ${String(by)}`;

function limitWords(after: unknown): string {
  const limits = (after ?? {}) as Readonly<Record<string, unknown>>;
  const known = LIMIT_NAMES.flatMap((name) =>
    limits[name] === undefined ? [] : [`${name} ${limits[name]}`],
  );
  const providers = Object.entries((limits.perProvider ?? {}) as object);
  return [...known, ...providers.map(([name, most]) => `parallel.${name} ${most}`)].join(', ');
}
