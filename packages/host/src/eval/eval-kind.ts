import { randomUUID } from 'node:crypto';
import { createEngine, createRunPorts, type Engine, inProcess } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { Provider } from '@cuebook/provider';
import type { HostError, StartCall } from '../contract.js';
import { engineError, refuse } from '../errors.js';
import { keepSources } from '../kept-sources.js';
import type { Ground, RunKind } from '../kind.js';
import type { OpenRun } from '../open-run.js';
import { perRunKind } from '../per-run.js';
import type { Opening, PerRunKind } from '../per-run-kind.js';
import type { KindView } from '../report.js';
import { openRunVoices } from '../voices.js';
import type { Word } from '../word.js';
import type { EvalFacts, EvalKindOptions, EvalStart } from './contract.js';
import { createEvalMachine, type EvalCommand } from './machine.js';
import { type EvalState, isAtLook } from './state.js';
import { createTakeDriver } from './take-driver.js';

/**
 * Takes as a kind of run: many requests, each told once, in an order and with looks that are fixed before the first. Each
 * take is a turn on record. A process that goes on with the run asks for what has no outcome, and for nothing else.
 */
export const evalRuns = (options: EvalKindOptions = {}): RunKind => perRunKind(evalRecord(options));

const evalRecord = (options: EvalKindOptions = {}): PerRunKind<EvalState> => ({
  name: 'eval',
  prefixes: ['eval'],
  begins: 'eval.started',
  lacks: {
    words: 'A take is told once: start another comparison with other words.',
    approvals: 'What the model asks for is told, and not run.',
    doubts: 'It does nothing but speak.',
    stalls: 'Each take has one turn.',
    updates:
      'A comparison measures the sources that it was started with: compare again, and it takes those of now.',
  },
  // The same comparison is the same run: it is gone on with, and never begun twice.
  runFor: ({ target }) => `run_${target.slice('eval:'.length)}` as RunId,
  machine: createEvalMachine({ priced: false }),
  view: evalView,
  pause: ({ exhausted }) =>
    exhausted === null ? undefined : { evidence: asJson({ ...exhausted }), unit: exhausted.unit },
  afterFailure: [],
  callOf({ data }) {
    const { target, provider, model, scripted } = data as unknown as EvalFacts;
    return scripted === true ? undefined : { target, provider, ...(model === undefined ? {} : { model }) };
  },
  open: (opening) => openEval(options, opening),
});

function evalView(state: EvalState): KindView {
  const { facts, over, isStopped, exhausted, open, done, failed, looks, budget } = state;
  const isOpen = Object.keys(open).length > 0;
  const spent = budget.scopes.run?.spent;
  const status = (): KindView['status'] => {
    if (facts === null) return 'new';
    if (over !== null) return 'done';
    if (isOpen) return 'running';
    if (isStopped) return 'stopped';
    return exhausted !== null ? 'waiting' : isAtLook(state) ? 'idle' : 'running';
  };
  return {
    target: facts?.target ?? null,
    status: status(),
    reason: exhausted === null ? (over === null ? null : 'done') : 'budget',
    text: over?.summary ?? '',
    error: null,
    turns: done,
    rehearsal: facts?.scripted === true || facts?.provider === 'rehearsal',
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      provider: facts?.provider ?? null,
      takes: facts?.takes.length ?? 0,
      done,
      failed,
      looks: looks.length,
      planned: facts?.looks.length ?? 0,
    },
  };
}

async function openEval(
  { prepare, perform }: EvalKindOptions,
  { run, call, ground, start }: Opening,
): Promise<Result<OpenRun, HostError>> {
  const voices = openRunVoices(ground.providers, call);
  if (!voices.ok) return voices;
  const found = voices.value.find();
  if (!found.ok) return fail({ ...found.error, kind: 'invalid' });
  if (start !== undefined && prepare === undefined)
    return refuse('invalid', 'E_RUN_TARGET', 'An eval is begun by the commands eval and compare.');
  const begun = start === undefined ? undefined : await prepare?.(start, ground);
  if (begun?.ok === false) return begun;
  const facts =
    begun === undefined ? await factsOf(ground, run) : ok(factsFor(call, found.value, begun.value));
  if (!facts.ok) return facts;
  const priced = voices.value.isPriced(facts.value.model);
  return ok(
    openRun({ run, ground, provider: found.value, facts: facts.value, priced, begun: begun?.value, perform }),
  );
}

async function factsOf({ store }: Ground, run: RunId): Promise<Result<EvalFacts, HostError>> {
  const [first] = await store.read(run, { limit: 1 });
  return first?.type === 'eval.started'
    ? ok(first.data as unknown as EvalFacts)
    : refuse('notFound', 'E_RUN_UNKNOWN', 'The run is no eval.');
}

function factsFor(
  { target, model, script }: Opening['call'],
  provider: Provider,
  { takes, looks, jobs, about }: EvalStart,
): EvalFacts {
  return {
    target,
    provider: provider.name,
    ...(model === undefined ? {} : { model }),
    ...(script === undefined ? {} : { scripted: true as const }),
    takes,
    looks,
    jobs,
    about,
  };
}

interface Opened {
  readonly run: RunId;
  readonly ground: Ground;
  readonly provider: Provider;
  readonly facts: EvalFacts;
  readonly priced: boolean;
  readonly begun: EvalStart | undefined;
  readonly perform: EvalKindOptions['perform'];
}

function openRun({ run, ground, provider, facts, priced, begun, perform }: Opened): OpenRun {
  const engine: Engine<EvalState, EvalCommand> = createEngine({
    store: ground.store,
    machine: createEvalMachine({ run, priced }),
    redactor: ground.redactor,
    clock: ground.clock,
    owner: `${ground.owner} ${randomUUID()}`,
    drivers: {
      'model.turn': createTakeDriver({
        ...{ run, ground, provider, facts, perform },
        requests: begun?.requests,
        port: createRunPorts(() => engine, ground.store),
      }),
    },
    work: inProcess({ whenHeld: 'refuse', leaseMs: ground.leaseMs }),
    ...(ground.fault === undefined ? {} : { fault: ground.fault }),
  });
  const submit = async (id: string, command: EvalCommand): Promise<Result<JsonValue, HostError>> => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(engineError(done.error));
  };
  return {
    async begin({ by, budget }: StartCall, id) {
      if (begun === undefined) return refuse('conflict', 'E_RUN_STARTED', 'The run has begun already.');
      const about = { requests: begun.requests } as unknown as JsonValue;
      const sources = await keepSources({ ...ground, run }, { files: begun.files, about });
      if (!sources.ok) return sources;
      return submit(id, {
        type: 'eval.start',
        facts: { ...facts, sources: sources.value },
        by,
        ...(budget === undefined ? {} : { budget }),
      });
    },
    async tell(word, { id, by }) {
      const command = commandOf(word, by);
      if (command !== undefined) return submit(id, command);
      return refuse('invalid', 'E_WORD_UNKNOWN', `A run of kind eval takes no ${word.type}.`);
    },
    take: async () => (await engine.start()).ok,
    drain: () => engine.drain(),
    close: (options) => engine.stop(options),
  };
}

function commandOf(word: Word, by: string): EvalCommand | undefined {
  switch (word.type) {
    case 'resume':
      return { type: 'eval.resume', by };
    case 'raise':
      return { type: 'budget.raise', to: word.to, by };
    case 'stop':
    case 'interrupt':
      return { type: 'eval.stop', by };
    case 'finish':
      return { type: 'eval.finish', ok: word.ok, summary: word.summary };
    default:
      return undefined;
  }
}
