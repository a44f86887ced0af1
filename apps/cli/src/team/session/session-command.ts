import type { JsonValue } from '@cuebook/api';

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
  /** The run, or one node of it. */
  | { readonly kind: 'resume'; readonly node: string | undefined }
  | { readonly kind: 'wrong'; readonly message: string };

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

function message(rest: string, interrupt: boolean): SessionCommand {
  const [, node, text] = /^(\S+)\s+([\s\S]+)$/.exec(rest) ?? [];
  if (node === undefined || text === undefined) return { kind: 'wrong', message: 'message NODE WORDS' };
  return { kind: 'message', node, text, interrupt };
}

const withNode = (kind: 'interrupt' | 'diff' | 'reset', node: string): SessionCommand =>
  node === '' || /\s/.test(node) ? { kind: 'wrong', message: `${kind} NODE` } : { kind, node };
