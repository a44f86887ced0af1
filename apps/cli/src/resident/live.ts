import { randomUUID } from 'node:crypto';
import type { GivenBudget } from '@cuebook/engine';
import { createRecorder, createSigner, type RunId, type StoredEvent } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import {
  createResident,
  type ResidentCommand,
  type ResidentConfig,
  type ResidentState,
  residentConfig,
  residentRun,
} from '@cuebook/resident';
import { type Call, flagValue, isOn } from '../command.js';
import { lineOf } from '../day/notes.js';
import { Failure, usage } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText, styleFor } from '../output/style.js';
import { byWhom } from '../platform/by-whom.js';
import type { Bench } from '../project/bench.js';
import { requireProviders } from '../project/providers.js';
import { type Journal, journalPlace, keyFailure, withOpened } from '../record/journal.js';
import { limitLife } from '../run/limits.js';
import { PRESET_PARAMS, paramsNote } from '../run/params-note.js';
import { openVoices } from '../run/voice.js';
import { openAgentDesk } from './desk.js';
import { requireAgent } from './home.js';
import { factsText, held } from './sync.js';

/** Lives the life of the agent of this folder until it is told to stop; with `--once` one round of it. */
export async function liveAgent(call: Call): Promise<number> {
  const { flags, io } = call;
  return withLife(call, async ({ agent, silent, engine, journal, run, before, begin, settle }) => {
    if (silent) await io.err(told(io, SILENT));
    await begin((config) => ({ type: 'resident.start', agent, config }));
    await engine.drain();
    const { state } = await engine.read(run);
    if (isOn(flags, 'once')) return tellRound(call, journal, { run, before, state });
    await tellAwake(call, state);
    await watch(call, journal, { run, after: before, onDay: settle });
    return 0;
  });
}

/** `cuebook agent do SCENARIO`: one thing that the owner asks for, and nothing else. Exit code 1 when it was not done. */
export async function doAsked(call: Call): Promise<number> {
  const { flags, args } = call;
  const scenario = args[1];
  if (scenario === undefined) throw usage(`Name what it is to do: ${hint`agent do daily_goals`}`);
  const [to, task, topic] = ['to', 'task', 'topic'].map((flag) => flagValue(flags, flag));
  const wish = { scenario, ...(to && { to }), ...(task && { task }), ...(topic && { topic }) };
  return withLife(call, async ({ agent, silent, engine, journal, run, before, begin }) => {
    if (silent) throw new Failure('E_RESIDENT', SILENT.trimEnd());
    // What a life that was cut off had begun comes to its end first.
    if (before > 0) await engine.submit(run, { id: randomUUID(), type: 'resident.stop' });
    await engine.drain();
    await begin((config) => ({ type: 'resident.do', agent, config, wish }));
    await engine.drain();
    const { state } = await engine.read(run);
    const refused = (await journal.store.read(run, { after: before })).find(
      ({ type }) => type === 'wish.refused',
    );
    if (refused !== undefined) {
      const { reason } = refused.data as { readonly reason: string };
      throw new Failure('E_RESIDENT', `${scenario} was not done. ${reason}`, { exit: 1 });
    }
    const code = await tellRound(call, journal, { run, before, state });
    const events = await journal.store.read(run, { after: before });
    return events.some(({ type }) => type === 'deed.refused' || type === 'deed.failed') ? 1 : code;
  });
}

interface OpenLife {
  readonly agent: string;
  /** Nobody was chosen to speak. */
  readonly silent: boolean;
  readonly engine: ReturnType<typeof createResident>;
  readonly journal: Journal;
  readonly run: RunId;
  /** The last event of the record before this call. */
  readonly before: number;
  /** Has it live or do something, within the limits of the project. */
  begin(commandOf: (config: ResidentConfig) => ResidentCommand): Promise<void>;
  /** Counts each day that is over. */
  settle(): Promise<void>;
}

/** Opens the life of the agent of this folder, does the work, and leaves it stopped. */
async function withLife(call: Call, work: (life: OpenLife) => Promise<number>): Promise<number> {
  const { flags, io } = call;
  const home = await requireAgent(call);
  const { agent } = home.file;
  const { provider, model, priced, session } = (await openVoices(home.bench, call))({ params: {} });
  await session.close();
  const silent = await isSilent(home.bench.files, call);
  const configOf = (more?: GivenBudget) => residentConfig(home.file, { priced, silent, more });
  const lives = configOf();
  if (!lives.ok) throw new Failure(lives.error.code, lives.error.message);
  const config = lives.value;
  const note = paramsNote(provider, PRESET_PARAMS);
  if (note !== undefined && !silent) io.err(styleFor(io, 'err').yellow(note));
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const signer = await createSigner(journal.home);
    if (!signer.ok) throw keyFailure(signer.error);
    const engine = createResident({
      agent,
      config,
      store: journal.store,
      desk: await openAgentDesk(home, journal),
      recorder: createRecorder({ store: journal.store, signer: signer.value }),
      voice: { provider, redactor: home.bench.redactor, ...(model && { model }) },
    });
    const run = residentRun(agent);
    const before = (await journal.store.head(run))?.seq ?? 0;
    const limited = limitLife(engine, { run, journal, by: byWhom(flags, io) });
    const begin: OpenLife['begin'] = async (commandOf) => {
      const begun = await limited.begin(randomUUID(), (budget) => {
        const fitting = configOf(budget);
        return fitting.ok ? ok(commandOf(fitting.value)) : fitting;
      });
      if (begun.ok) return;
      if (begun.error.code.startsWith('E_RESIDENT')) throw otherRecord();
      throw new Failure(begun.error.code, begun.error.message, { exit: 1 });
    };
    try {
      if (!(await engine.start()).ok) throw held(agent);
      return await work({ agent, silent, engine, journal, run, before, begin, settle: limited.settle });
    } finally {
      if ((await journal.store.head(run)) !== undefined)
        await engine.submit(run, { id: randomUUID(), type: 'resident.stop' });
      await engine.stop();
    }
  });
}

const otherRecord = () =>
  new Failure('E_RESIDENT', 'The record of this folder is about another agent.', { exit: 1 });

/** Whether nobody was chosen to speak. Words of a rehearsal that nobody asked for are for nobody's eyes. */
async function isSilent(files: Bench['files'], { flags }: Call): Promise<boolean> {
  const isAsked = flagValue(flags, 'provider') !== undefined || flagValue(flags, 'script') !== undefined;
  return !isAsked && (await requireProviders(files)).provider === undefined;
}

const SILENT = `No provider is set, so this agent listens and says nothing. ${hint`providers`} lists them; name one with --provider, or \`provider:\` in cuebook.yaml.\n`;

interface Round {
  readonly run: RunId;
  readonly before: number;
  readonly state: ResidentState;
}

async function tellRound(
  { flags, io }: Call,
  { store }: Journal,
  { run, before, state }: Round,
): Promise<number> {
  const events = await store.read(run, { after: before });
  const { agent, trust, memory, today } = state;
  const isActive = trust?.active === true && !events.some(({ type }) => type === 'resident.inactive');
  const failed = events.some(({ type }) => type === 'resident.failed');
  if (isOn(flags, 'json')) {
    const deeds = events.filter(({ type }) => type === 'deed.done').map(({ data }) => data);
    const refused = events.filter(({ type }) => type === 'deed.refused').map(({ data }) => data);
    await printJson(io, {
      agent,
      run,
      active: isActive,
      trust,
      deeds,
      refused,
      weights: memory.weights,
      today,
    });
  } else {
    if (trust !== null) await io.out(told(io, factsText(agent ?? '', trust, styleFor(io, 'out'))));
    for (const line of linesOf(events)) await io.out(`  ${screenText(line, io.terminal.out)}\n`);
  }
  return isActive && !failed ? 0 : 1;
}

/** Facts of a sync are told in a form of their own. */
const linesOf = (events: readonly StoredEvent[]): readonly string[] =>
  events.filter(({ type }) => !FACTS.has(type)).flatMap((event) => lineOf(event));

const FACTS: ReadonlySet<string> = new Set(['resident.synced', 'resident.inactive']);

/** What the agent acts on, once, so that its owner sees that it lives. */
async function tellAwake({ flags, io }: Call, { agent, trust }: ResidentState): Promise<void> {
  if (isOn(flags, 'json')) await printJson(io, { agent, trust }, { compact: true });
  else if (trust !== null) await io.out(told(io, factsText(agent ?? '', trust, styleFor(io, 'out'))));
}

/** Tells what happens until the owner says stop. */
async function watch(
  { flags, io }: Call,
  { store }: Journal,
  { run, after, onDay }: { readonly run: RunId; readonly after: number; readonly onDay: () => Promise<void> },
): Promise<void> {
  for await (const event of store.subscribe({ run, after, signal: io.stop })) {
    if (event.type === 'budget.day') await onDay();
    const time = new Date(event.at).toISOString();
    for (const line of lineOf(event)) {
      if (isOn(flags, 'json'))
        await printJson(io, { at: time, seq: event.seq, type: event.type, text: line }, { compact: true });
      else
        await io.out(`${styleFor(io, 'out').dim(time.slice(11, 16))} ${screenText(line, io.terminal.out)}\n`);
    }
  }
}
