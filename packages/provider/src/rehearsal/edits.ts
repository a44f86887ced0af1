import { describeFileError, type Files, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { LiveTurn } from '../stream/live-turn.js';
import type { SessionOptions } from '../turn.js';
import type { Edit } from './script.js';

/** The name under which edits show in the stream. */
export const EDIT_TOOL = 'edit';

/**
 * Writes the files of a step below the session's folder and nowhere else. An edit that is refused (outside,
 * read only, denied) is a tool that failed; the turn goes on, as it does for a real agent. A step that `heeds` a person
 * makes no edit behind one that was denied.
 */
export async function makeEdits(
  turn: LiveTurn,
  edits: readonly Edit[],
  options: Pick<SessionOptions, 'cwd' | 'home' | 'access' | 'ask'>,
  { sessionId, heeds }: { readonly sessionId: string; readonly heeds: boolean },
): Promise<{ readonly denied: boolean }> {
  for (const [index, edit] of edits.entries()) {
    if (turn.signal.aborted) break;
    const id = `edit-${sessionId}-${index}`;
    turn.emit({ type: 'tool.start', id, name: EDIT_TOOL, by: 'agent' });
    const { denied, ...answer } = await makeEdit(turn, edit, options, id);
    turn.emit({ type: 'tool.end', id, name: EDIT_TOOL, by: 'agent', ...answer });
    if (guard('rehearsal.denied', heeds && denied === true)) return { denied: true };
  }
  return { denied: false };
}

interface EditAnswer {
  readonly input: JsonValue;
  readonly output: string;
  readonly isError?: boolean;
  /** A person said no. */
  readonly denied?: boolean;
}

async function makeEdit(
  turn: LiveTurn,
  edit: Edit,
  options: Pick<SessionOptions, 'cwd' | 'home' | 'access' | 'ask'>,
  id: string,
): Promise<EditAnswer> {
  const planned = { path: edit.path, content: edit.content };
  const refused = (output: string, input: JsonValue = planned): EditAnswer => ({
    input,
    output: turn.clean(output),
    isError: true,
  });
  if (guard('rehearsal.plan', options.access === 'plan')) return refused('The session may only read.');
  if (options.cwd === undefined) return refused('The session has no folder to write to.');
  const asked = options.ask === true ? await ask(turn, planned, id) : planned;
  if (typeof asked === 'string') return refused(asked);
  if (asked === DONE) return { input: planned, output: `Wrote ${edit.path} in an earlier try.` };
  if ('denied' in asked) return { ...refused(asked.denied), denied: true };
  const files = await openFolder(options.cwd, {
    protect: PROTECTED,
    withhold: { from: 'agent', ...(options.home === undefined ? {} : { home: options.home }) },
  });
  const written = files.ok ? await write(files.value, asked) : files;
  if (!written.ok) return refused(describeFileError(written.error), { ...asked });
  return { input: { ...asked }, output: `Wrote ${asked.path}.` };
}

/** Never an agent's to change: the history, and what the project keeps about its runs. */
const PROTECTED = ['.git', '.cuebook'];

async function write(files: Files, { path, content }: Edit) {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const made = folder === '' ? undefined : await files.makeDirectory(folder);
  return made !== undefined && !made.ok ? made : files.writeText(path, content);
}

/** An earlier try of the turn has made the edit. */
const DONE = Symbol('done');

interface Denied {
  /** In the words of the person. */
  readonly denied: string;
}

/** The edit to make, or why there is none. */
async function ask(
  turn: LiveTurn,
  edit: Edit,
  callId: string,
): Promise<Edit | Denied | string | typeof DONE> {
  const request = {
    type: 'approval.request',
    id: `approve-${callId}`,
    tool: EDIT_TOOL,
    input: { ...edit },
    callId,
  } as const;
  turn.emit(request);
  const answer = (await turn.input.onApproval?.(request)) ?? { decision: 'deny' };
  if (answer.decision === 'allow') return edit;
  if (answer.decision === 'deny' && answer.done === true) return DONE;
  if (answer.decision === 'deny') return { denied: answer.message ?? 'Denied.' };
  return readEdit(answer.input) ?? 'The changed input is not { path, content }.';
}

function readEdit(input: JsonValue): Edit | undefined {
  const { path, content } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return typeof path === 'string' && typeof content === 'string' ? { path, content } : undefined;
}
