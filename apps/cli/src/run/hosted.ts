import { randomUUID } from 'node:crypto';
import {
  type Client,
  createClient,
  type JsonValue,
  type LiveView,
  type ReportView,
  type RunEventView,
} from '@cuebook/api';
import { createEngine } from '@cuebook/engine';
import { type PerRunKind, type RunReport, readReport, readRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import type { Journal } from '../record/journal.js';
import { requireAnswer } from '../team/require.js';
import { isSameVoice, spokenOf } from './note.js';

/** A run that the server of the project works on, as a command of this process sees it. */
export interface HostedRun {
  readonly client: Client;
  /** Undefined: it is started. */
  readonly run: RunId | undefined;
}

/**
 * The server that is up for the project, to start a run at or to go on with one. Undefined: there is none, or nothing
 * says how the run was called, or the call names another voice.
 */
export async function findHosted(
  {
    home,
    journal,
    run,
  }: { readonly home: string; readonly journal: Journal; readonly run?: RunId | undefined },
  call: Call,
): Promise<HostedRun | undefined> {
  const { findServer } = await import('@cuebook/server');
  const found = await findServer(home);
  if (found === undefined) return undefined;
  const { call: noted } = run === undefined ? {} : await readRunNote(journal.home, run);
  if (run !== undefined && (noted === undefined || !(await isSameVoice(noted, call)))) return undefined;
  return { client: createClient({ url: found.url, token: found.token }), run };
}

/** Starts a run at the server as the flags of the call say. */
export async function startHosted(
  { client }: HostedRun,
  call: Call,
  start: Pick<NonNullable<Parameters<Client['startRun']>[0]>, 'target' | 'input' | 'budget' | 'options'>,
): Promise<RunId> {
  const { run } = requireAnswer(
    await client.startRun({ ...start, id: `cmd_${randomUUID()}`, ...(await spokenOf(call)) }),
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
  const missed = createMissed(run, show);
  let last = after;
  let still = Number.POSITIVE_INFINITY;
  for await (const heard of client.follow({ run, after, signal })) {
    if (heard.type === 'live') missed.live(heard.live);
    if (heard.type === 'event') missed.event(heard.event);
    if (heard.type === 'failed') requireAnswer({ ok: false, error: heard.error });
    if (heard.type === 'ready') last = Math.max(last, heard.seq);
    if (heard.type === 'event') last = heard.event.seq;
    const isNews = heard.type === 'ready' || (heard.type === 'event' && !isQuietEvent(heard.event.type));
    if (isNews && still === Number.POSITIVE_INFINITY) {
      const { status, seq, waits } = requireAnswer(await client.getReport({ run }));
      if ((status !== 'running' && status !== 'new') || problemOf(waits) !== undefined)
        still = Math.min(still, seq);
    }
    // A report may know more than was told: the run is shown to where it stands still.
    if (last >= still) end.abort();
  }
  if (io.stop.aborted)
    throw new Failure('E_STOPPED', `You left. The run continues: ${hint`log ${run}`}`, { exit: 1 });
}

/** Why a run cannot go on where it is; undefined: it goes on, or waits for somebody. */
export function problemOf(waits: ReportView['waits']): string | undefined {
  const left = waits.find((each) => each.for === 'left');
  return (left?.evidence as { readonly problem?: string } | undefined)?.problem;
}

/**
 * Shows each turn once: as it is spoken where its beginning was heard, and the rest of it, or all of it, from the record
 * when it is over. A turn may begin before anybody follows, and its last words may come after its end is on record.
 */
function createMissed(run: RunId, show: (live: LiveView) => void) {
  const shown = new Map<string, { chars: number; readonly tools: Set<string>; isOver: boolean }>();
  const nodes = new Map<string, string>();
  return {
    live(live: LiveView): void {
      const { turn, event } = live;
      if (event.type === 'turn.start') shown.set(turn, { chars: 0, tools: new Set(), isOver: false });
      const told = shown.get(turn);
      if (told === undefined || told.isOver) return;
      if (event.type === 'text.delta') told.chars += event.text.length;
      if (event.type === 'tool.end') told.tools.add(event.id);
      if (event.type === 'turn.end') told.isOver = true;
      show(live);
    },
    event({ type, data }: RunEventView): void {
      const { id = '', kind, input, outcome } = data as unknown as EffectWords;
      if (type === 'effect.intended' && kind === 'model.turn') nodes.set(id, input?.frame ?? 'workflow');
      // Who speaks in a turn that was asked for before anybody followed is not heard: it is told as the main thread's.
      const node = nodes.get(id) ?? (id.startsWith('turn_') ? 'main' : undefined);
      const { output } = outcome ?? {};
      const told = shown.get(id);
      if (type !== 'effect.settled' || node === undefined || told?.isOver || output === undefined) return;
      const tell = (event: LiveView['event']): void => show({ run, node, turn: id, event });
      if (told === undefined)
        tell({ type: 'turn.start', provider: '', ...(output.rehearsal ? { rehearsal: true } : {}) });
      shown.set(id, { chars: 0, tools: new Set(), isOver: true });
      const rest = (output.text ?? '').slice(told?.chars ?? 0);
      if (rest !== '') tell({ type: 'text.delta', block: 0, text: rest });
      for (const { id: call, name, input: args } of output.calls ?? [])
        if (!told?.tools.has(call)) tell({ type: 'tool.end', id: call, name, by: 'caller', input: args });
      tell({ type: 'turn.end', reason: 'done' });
    },
  };
}

/** What the events of a turn's effect hold, as far as a screen shows it. */
interface EffectWords {
  readonly id?: string;
  readonly kind?: string;
  readonly input?: { readonly frame?: string };
  readonly outcome?: {
    readonly output?: {
      readonly text?: string;
      readonly rehearsal?: boolean;
      readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: JsonValue }[];
    };
  };
}

/** Whether no run stands still after such an event that did not before. */
export const isQuietEvent = (type: string): boolean => QUIET.has(type);

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
  journal: Journal,
  run: RunId,
): Promise<RunReport & { readonly state: State }> {
  const { state, seq } = await createEngine({
    store: journal.store,
    machine: record.machine,
    drivers: {},
  }).read(run);
  return { ...(await readReport(record, journal, { run, state, seq })), state };
}
