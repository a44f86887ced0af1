import type { Host, Word } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { PersonCommand, TeamHost } from '@cuebook/team';
import { fromHost, type HttpError } from '../http/error.js';
import type { RequestContext } from '../http/group.js';

/** A command without the name of who gives it: that is the one who asks. */
export type Unsigned = PersonCommand extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'by'>
    : never
  : never;

/** Gives a command to a run; the same id again answers the same. */
export async function submit(
  { host, runs }: { readonly host: Pick<TeamHost, 'submit'>; readonly runs: Pick<Host, 'spend'> },
  run: string,
  command: Unsigned,
  { by, command: id }: Pick<RequestContext, 'by' | 'command'>,
): Promise<Result<JsonValue, HttpError>> {
  const signed = { ...command, by: by.name, id } as PersonCommand & { readonly id: string };
  const give = () => host.submit(run as RunId, signed);
  const done = FREE.has(command.type)
    ? await give()
    : await runs.spend(run as RunId, { id, by: by.name }, give);
  return done.ok ? ok(done.value) : fail(fromHost(done.error));
}

/** Commands that make nobody spend. */
const FREE: ReadonlySet<Unsigned['type']> = new Set([
  'run.pause',
  'run.stop',
  'run.finish',
  'node.interrupt',
]);

/** Says a word to a run of any kind; the same id again answers the same. */
export async function tell(
  { runs }: { readonly runs: Pick<Host, 'tell'> },
  run: string,
  word: Word,
  { by, command: id }: Pick<RequestContext, 'by' | 'command'>,
): Promise<Result<JsonValue, HttpError>> {
  const done = await runs.tell(run as RunId, word, { id, by: by.name });
  return done.ok ? ok(done.value) : fail(fromHost(done.error));
}

/** The answer of a command that says nothing of its own. */
export async function done(
  answer: Promise<Result<JsonValue, HttpError>>,
): Promise<Result<{ readonly done: true }, HttpError>> {
  const said = await answer;
  return said.ok ? ok({ done: true }) : said;
}
