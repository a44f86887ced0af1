import type { RunId, Store } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { Host, HostError, Reply, Saying } from '../contract.js';
import { refuse } from '../errors.js';
import type { RunReport } from '../report.js';
import { type Delivered, mayAnswer, type WebhookAct } from './webhook.js';

interface Answering {
  readonly store: Pick<Store, 'findCommand'>;
  readonly host: Pick<Host, 'answer' | 'waiting' | 'report'>;
  readonly does: Extract<WebhookAct, { readonly act: 'answer' }>;
  readonly said: Saying;
}

/** Answers what a body names, if the webhook may: `{ run, wait?, text }`, or `decision` in the place of `text`. */
export async function answerWith(
  { store, host, does, said }: Answering,
  body: JsonValue,
): Promise<Result<Delivered, HostError>> {
  const read = readAnswer(body);
  if (!read.ok) return read;
  const { run, wait: named, reply } = read.value;
  // What was answered does not wait any more: the same delivery again is told by its command.
  if ((await store.findCommand(run, said.id)) !== undefined)
    return ok({ run, ...(named === undefined ? {} : { wait: named }) });
  const report = await host.report(run);
  // A run that it may not answer is told like one that is not there.
  if (!report.ok || !isOfTarget(report.value, does.target)) return nothing();
  const waits = (await host.waiting({ run })).filter(
    (wait) => mayAnswer(does.answers, wait.for) && (named === undefined || wait.id === named),
  );
  const [wait, ...others] = waits;
  if (wait === undefined) return nothing();
  if (others.length > 0)
    return refuse('conflict', 'E_WEBHOOK_ANSWER', 'Several things wait in this run: name one in `wait`.');
  const answered = await host.answer(wait, reply, said);
  return answered.ok ? ok({ run, wait: wait.id }) : answered;
}

/** Whether a run is of a target. `KIND:*` are all runs of a kind: the record of a team does not say which file it is of. */
function isOfTarget({ target, kind }: Pick<RunReport, 'target' | 'kind'>, wanted: string): boolean {
  if (!wanted.endsWith(':*')) return target === wanted;
  return target === null ? `${kind}:*` === wanted : target.startsWith(wanted.slice(0, -1));
}

interface ReadAnswer {
  readonly run: RunId;
  readonly wait?: string;
  readonly reply: Reply;
}

function readAnswer(body: JsonValue): Result<ReadAnswer, HostError> {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<
    Record<string, JsonValue>
  >;
  const { run, wait, text, decision, message, ...more } = fields;
  const stray = Object.keys(more)[0];
  if (stray !== undefined) return misfit(`${JSON.stringify(stray.slice(0, 80))} is not known here`);
  if (typeof run !== 'string' || !/^run_[A-Za-z0-9]{1,60}$/.test(run))
    return misfit('`run` is the id of a run');
  if (wait !== undefined && (typeof wait !== 'string' || wait.length > 300 || wait === ''))
    return misfit('`wait` is the id of what waits');
  const place = { run: run as RunId, ...(wait === undefined ? {} : { wait }) };
  if (typeof text === 'string' && decision === undefined && message === undefined)
    return text.trim() === '' || text.length > 64_000
      ? misfit('`text` has 1 to 64,000 characters')
      : ok({ ...place, reply: { texts: [text] } });
  if (text !== undefined) return misfit('either `text` or `decision` is given');
  if (decision === 'allow' && message === undefined) return ok({ ...place, reply: { decision } });
  if (decision !== 'deny') return misfit('`decision` is allow or deny');
  if (message !== undefined && (typeof message !== 'string' || message.length > 2_000))
    return misfit('`message` has at most 2,000 characters');
  return ok({ ...place, reply: { decision, ...(message === undefined ? {} : { message }) } });
}

const misfit = (why: string): Result<never, HostError> =>
  refuse('invalid', 'E_WEBHOOK_BODY', `The body: ${why}.`);
const nothing = (): Result<never, HostError> =>
  refuse('notFound', 'E_WEBHOOK_ANSWER', 'Nothing waits there that this webhook may answer.');
