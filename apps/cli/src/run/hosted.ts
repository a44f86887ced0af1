import { randomUUID } from 'node:crypto';
import { type Client, createClient, type LiveView } from '@cuebook/api';
import { createEngine } from '@cuebook/engine';
import { type PerRunKind, type RunReport, readReport, readRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';
import type { Journal } from '../record/journal.js';
import { requireAnswer } from '../team/require.js';

/** A run that the server of the project works on, as a command of this process sees it. */
export interface HostedRun {
  readonly client: Client;
  /** Undefined: it is started. */
  readonly run: RunId | undefined;
}

/**
 * The server that is up for the project, to start a run at or to go on with one. Undefined: there is none, or the run
 * was begun by a command, whose flags no server knows.
 */
export async function findHosted(
  home: string,
  journal: Journal,
  run: RunId | undefined,
): Promise<HostedRun | undefined> {
  const { findServer } = await import('@cuebook/server');
  const found = await findServer(home);
  if (found === undefined) return undefined;
  if (run !== undefined && (await readRunNote(journal.home, run)).call === undefined) return undefined;
  return { client: createClient({ url: found.url, token: found.token }), run };
}

/** Starts a run at the server as the flags of the call say. */
export async function startHosted(
  { client }: HostedRun,
  { flags, io }: Call,
  start: Pick<NonNullable<Parameters<Client['startRun']>[0]>, 'target' | 'input' | 'budget' | 'options'>,
): Promise<RunId> {
  const script = flagValue(flags, 'script');
  const provider = flagValue(flags, 'provider');
  const model = flagValue(flags, 'model');
  const { run } = requireAnswer(
    await client.startRun({
      ...start,
      id: `cmd_${randomUUID()}`,
      ...(script === undefined ? {} : { script: await readNamedFile(io.cwd, script) }),
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
    }),
  );
  return run as RunId;
}

/** Shows what a run says until it stands still. Who leaves does not end it. */
export async function followHosted(
  client: Client,
  {
    run,
    after,
    io,
    show,
  }: { readonly run: RunId; readonly after: number; readonly io: Call['io'] } & {
    readonly show: (live: LiveView) => void;
  },
): Promise<void> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, io.stop]);
  for await (const heard of client.follow({ run, after, signal })) {
    if (heard.type === 'live') show(heard.live);
    if (heard.type === 'failed') requireAnswer({ ok: false, error: heard.error });
    const isNews = heard.type === 'ready' || (heard.type === 'event' && !QUIET.has(heard.event.type));
    if (!isNews) continue;
    const { status } = requireAnswer(await client.getReport({ run }));
    if (status !== 'running' && status !== 'new') end.abort();
  }
  if (io.stop.aborted)
    throw new Failure('E_STOPPED', `You left. The run goes on: ${hint`log ${run}`}`, { exit: 1 });
}

/** Events after which no run stands still that did not before. */
const QUIET: ReadonlySet<string> = new Set([
  'effect.intended',
  'effect.begun',
  'turn.recorded',
  'turn.ended',
  'budget.held',
  'budget.spent',
]);

/** How a run stands, from the record. */
export async function readHosted<State>(
  record: PerRunKind<State>,
  { store }: Journal,
  run: RunId,
): Promise<RunReport & { readonly state: State }> {
  const { state, seq } = await createEngine({ store, machine: record.machine, drivers: {} }).read(run);
  return { ...(await readReport(record, store, { run, state, seq })), state };
}
