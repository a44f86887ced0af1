import type { JsonValue } from '@cuebook/api';
import { type GivenLimits, LIMIT_WORDS, readLimits } from '../limits.js';

/** What a person types while attached to a run. */
export type SessionCommand =
  | { readonly kind: 'allow'; readonly which: number | undefined; readonly grant: boolean }
  | { readonly kind: 'deny'; readonly which: number | undefined; readonly message: string }
  /** Without an input an editor is opened on the present one. */
  | { readonly kind: 'change'; readonly which: number | undefined; readonly input: JsonValue | undefined }
  | { readonly kind: 'view'; readonly which: number | undefined }
  | { readonly kind: 'message'; readonly node: string; readonly text: string; readonly interrupt: boolean }
  | { readonly kind: 'interrupt' | 'diff' | 'reset'; readonly node: string }
  | { readonly kind: 'pause' | 'status' | 'help' | 'quit' | 'stop' | 'nothing' }
  /** Words of a person in front of everything that a node is told; null takes them away. */
  | { readonly kind: 'override'; readonly node: string; readonly text: string | null }
  | { readonly kind: 'mode'; readonly mode: Mode }
  /** What the run or one node may spend, and what else bounds the run. */
  | {
      readonly kind: 'limit';
      readonly node: string | undefined;
      readonly spent: SpendingLimits;
      readonly bounds: GivenLimits;
    }
  /** The run, or one node of it. */
  | { readonly kind: 'resume'; readonly node: string | undefined }
  | { readonly kind: 'wrong'; readonly message: string };

/** What a run can be set to: who is asked, and what may be done. */
export type Mode =
  | { readonly mode: 'AUTO' | 'INTERACTIVE' }
  | { readonly globalMode: 'PLANNING' | 'IMPLEMENTATION' };

/** What may be spent from now on. */
export interface SpendingLimits {
  readonly turns?: number;
  readonly tokens?: number;
  readonly usd?: number;
}

/** Reads one line. Words may be shortened to a letter; what is not understood says what is. */
export function readCommand(line: string): SessionCommand {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*?)\s*$/.exec(line) ?? [];
  const name = word.toLowerCase();
  switch (name) {
    case '':
      return { kind: 'nothing' };
    case 'a':
    case 'allow':
    case 'y':
      return { kind: 'allow', which: numbered(rest).which, grant: false };
    case 'g':
    case 'grant':
      return { kind: 'allow', which: numbered(rest).which, grant: true };
    case 'd':
    case 'deny':
    case 'n': {
      const { which, text } = numbered(rest);
      return { kind: 'deny', which, message: text };
    }
    case 'c':
    case 'change':
      return change(rest);
    case 'v':
    case 'view':
      return { kind: 'view', which: numbered(rest).which };
    case 'm':
    case 'message':
      return message(rest, false);
    case 'm!':
    case 'message!':
      return message(rest, true);
    case 'i':
    case 'interrupt':
      return withNode('interrupt', rest);
    case 'diff':
    case 'reset':
      return withNode(name, rest);
    case 'mode':
      return mode(rest);
    case 'override':
      return override(rest);
    case 'limit':
      return limit(rest);
    case 'r':
    case 'resume':
      return { kind: 'resume', node: rest === '' ? undefined : rest };
    case 'p':
    case 'pause':
      return { kind: 'pause' };
    case 's':
    case 'status':
      return { kind: 'status' };
    case 'stop':
      return { kind: 'stop' };
    case 'q':
    case 'quit':
    case 'exit':
      return { kind: 'quit' };
    case 'h':
    case 'help':
    case '?':
      return { kind: 'help' };
    default:
      return { kind: 'wrong', message: `"${word}" is not a command here; help lists them.` };
  }
}

/** What can be typed. */
export const SESSION_HELP = `  allow [N]            let it be done (a)
  grant [N]            let it be done, and this kind for the rest of the run (g)
  deny [N] [WORDS]     do not let it be done, with words for the agent (d)
  change [N] [JSON]    let something else be done: JSON here, or an editor (c)
  view [N]             all of what is asked for (v)
  message NODE WORDS   say something to a node (m); message! ends its turn first
  interrupt NODE       end the turn of a node; it then waits for you (i)
  resume [NODE]        go on: the run, or a node that holds (r)
  reset NODE           forget what waits for a node, and its session
  mode MODE            auto or interactive; planning or implementation
  override NODE TEXT   words of yours in front of all that a node is told; without TEXT they go
  limit [NODE] turns=N tokens=N usd=N
                       how much may be spent from now on: by the run, or by a node
  limit NAME=N         what else bounds the run: parallel, parallel.PROVIDER, nodes, depth, inbox,
                       approvalMinutes
  pause                begin nothing new (p)
  diff NODE            the last change of a node
  status               nodes, budget and what waits for you (s)
  stop                 end the run for good
  quit                 leave; the run is not stopped (q)
`;

/** A number in front, as things that wait are numbered. */
function numbered(text: string): { readonly which: number | undefined; readonly text: string } {
  const [, digits, rest = ''] = /^#?(\d{1,6})(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  return digits === undefined ? { which: undefined, text } : { which: Number(digits), text: rest };
}

function change(rest: string): SessionCommand {
  const { which, text } = numbered(rest);
  if (text === '') return { kind: 'change', which, input: undefined };
  try {
    return { kind: 'change', which, input: JSON.parse(text) as JsonValue };
  } catch {
    return { kind: 'wrong', message: 'What stands behind change is not JSON, so nothing was done.' };
  }
}

const MODES: Readonly<Record<string, Mode>> = {
  auto: { mode: 'AUTO' },
  interactive: { mode: 'INTERACTIVE' },
  planning: { globalMode: 'PLANNING' },
  implementation: { globalMode: 'IMPLEMENTATION' },
};

function mode(rest: string): SessionCommand {
  const name = rest.toLowerCase();
  const found = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
  if (found === undefined) return { kind: 'wrong', message: `mode ${Object.keys(MODES).join(', or ')}` };
  return { kind: 'mode', mode: found };
}

function override(rest: string): SessionCommand {
  const [, node, text = ''] = /^(\S+)(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  if (node === undefined) return { kind: 'wrong', message: 'override NODE TEXT' };
  return { kind: 'override', node, text: text === '' ? null : text };
}

/** `limit turns=40`, `limit dev tokens=100000 usd=2.5`, `limit parallel=2 approvalMinutes=0`. */
function limit(rest: string): SessionCommand {
  const words = rest.split(/\s+/).filter((word) => word !== '');
  const [first = ''] = words;
  const node = first === '' || first.includes('=') ? undefined : first;
  const spent: Record<string, number> = {};
  const others: string[] = [];
  for (const word of node === undefined ? words : words.slice(1)) {
    const [, unit = '', digits = ''] = /^(turns|tokens|usd)=(\d{1,12}(?:\.\d{1,6})?)$/.exec(word) ?? [];
    if (unit === '') others.push(word);
    else if ((unit !== 'usd' && digits.includes('.')) || Number(digits) <= 0) return LIMIT;
    else spent[unit] = Number(digits);
  }
  const bounds = readLimits(others);
  // What bounds a run beside its budget bounds the whole of it.
  if (typeof bounds === 'string' || (node !== undefined && others.length > 0)) return LIMIT;
  if (Object.keys(spent).length + others.length === 0) return LIMIT;
  return { kind: 'limit', node, spent, bounds };
}

const LIMIT: SessionCommand = {
  kind: 'wrong',
  message: `limit [NODE] turns=N tokens=N usd=N, with numbers above 0; of the run also ${LIMIT_WORDS}`,
};

function message(rest: string, interrupt: boolean): SessionCommand {
  const [, node, text] = /^(\S+)\s+([\s\S]+)$/.exec(rest) ?? [];
  if (node === undefined || text === undefined) return { kind: 'wrong', message: 'message NODE WORDS' };
  return { kind: 'message', node, text, interrupt };
}

const withNode = (kind: 'interrupt' | 'diff' | 'reset', node: string): SessionCommand =>
  node === '' || /\s/.test(node) ? { kind: 'wrong', message: `${kind} NODE` } : { kind, node };
