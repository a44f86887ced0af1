import { join, relative, resolve } from 'node:path';
import {
  attackText,
  type InjectionCase,
  type InjectionDocument,
  type InjectionSuite,
  injectionCases,
  injectionText,
  type StandInTool,
  worldOf,
} from '@cuebook/eval';
import type { TakePlan } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { defaultProvider } from '@cuebook/provider';
import { type Call, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { count, screenText } from '../../output/style.js';
import { type Bench, openBench } from '../../project/bench.js';
import { requireProviders } from '../../project/providers.js';
import { type Journal, journalPlace, withOpened } from '../../record/journal.js';
import { spokenOf } from '../../run/note.js';
import { printLink } from '../link.js';
import { budgetFlag, wholeNumber } from '../numbers.js';
import { runTakes } from '../run-takes.js';
import { type OwnProject, readOwnProject } from './own-project.js';
import { type PlannedInjection, planInjection } from './plan.js';
import { injectionOf } from './record.js';
import { takeScript } from './rehearse.js';
import { requireSafeVoices } from './safe-voices.js';
import { standInOf } from './stand-in.js';
import { readSuite, saveSuite, throughFlag } from './suite-file.js';
import { performTake, type TakeGround } from './take.js';

/** `eval --injection`: plans the takes of a suite, makes them, and tells utility and attack success together. */
export async function runInjection(call: Call): Promise<number> {
  const { flags, io } = call;
  for (const flag of ['junit'])
    if (flagValue(flags, flag) !== undefined) throw usage(`--${flag} is not for --injection`);
  if (call.args.length > 0)
    throw usage('--injection names its own cases: write your agents as target: in the tasks of a suite');
  const bench = await openBench(flags, io, []);
  const suite = await readSuite(call);
  const saved = flagValue(flags, 'save-suite');
  if (saved !== undefined) await saveSuite(call, saved, suite);
  const cases = injectionCases(suite, { filter: flagValue(flags, 'filter'), through: throughFlag(flags) });
  if (cases.length === 0) throw new Failure('E_INJECTION_NONE', 'No attack fits what the call names');
  const own = await ownProjectOf(call, bench, cases);
  const place = await journalPlace(flags, io);
  return withOpened(place, async (journal) => {
    const planned = await planInjection({ bench, journal }, cases, {
      suite: suite.name,
      seed: wholeNumber(flags, 'seed', [0, 2 ** 31]) ?? 20240229,
      takes: wholeNumber(flags, 'takes', [1, 100]) ?? 1,
      jobs: wholeNumber(flags, 'jobs', [1, 99]) ?? DEFAULT_JOBS,
      isFresh: isOn(flags, 'fresh'),
      voice: await voiceOf(call, bench),
      project: own?.hash,
    });
    if (!planned.isThere) io.err(planText(planned, cases));
    if (isOn(flags, 'plan')) {
      if (isOn(flags, 'json')) await printJson(io, { plan: planOf(planned, cases) });
      return 0;
    }
    const ground = {
      folder: join(place.home, 'injection'),
      config: await requireProviders(bench.files),
      env: io.env,
    };
    const { document, report } = await runTakes({
      ...{ call, bench, journal, planned },
      budget: limitOf(call, planned),
      perform: await performer(call, { suite, planned, ground, own }),
      read: () => injectionOf(journal.store, planned.run),
    });
    const next = 'The budget is spent: the same command with a larger --budget goes on.';
    await print(call, document, report.status === 'waiting' ? next : undefined);
    return report.status === 'done' ? exitOf(document) : 1;
  });
}

const DEFAULT_JOBS = 4;

/** A take that gave nothing to look at is told, counted, and keeps the exit code from 0. */
const exitOf = ({ all, missing }: InjectionDocument): number =>
  all.attack !== null && missing.takes === 0 ? 0 : 1;

/** The project of the agents that are tried; undefined: all of them stand in. */
async function ownProjectOf(
  call: Call,
  bench: Bench,
  cases: readonly InjectionCase[],
): Promise<OwnProject | undefined> {
  const tasks = cases.flatMap(({ task }) => (task.target === undefined ? [] : [task.target]));
  const targets = [...new Set(tasks)];
  if (targets.length === 0) return undefined;
  await requireSafeVoices(call, bench, targets);
  const named = [...flagValues(call.flags, 'injection'), flagValue(call.flags, 'script') ?? ''];
  const ignored = named.map((file) =>
    relative(bench.folder, resolve(call.io.cwd, file)).replaceAll('\\', '/'),
  );
  return readOwnProject(bench, ignored);
}

/** Tells a suite on record; undefined where the run is none. */
export async function showInjection(call: Call, { store }: Journal, run: RunId): Promise<number | undefined> {
  const document = await injectionOf(store, run);
  if (document === undefined) return undefined;
  await print(call, document);
  return exitOf(document);
}

async function print(call: Call, document: InjectionDocument, next?: string): Promise<void> {
  const { flags, io } = call;
  if (isOn(flags, 'json')) await printJson(io, document);
  else {
    await io.out(screenText(injectionText(document, next), io.terminal.out));
    await printLink(call, document.id);
  }
}

/** Who speaks, as far as another voice makes other takes. */
async function voiceOf(call: Call, bench: Bench): Promise<readonly string[]> {
  const { provider, model = '', script } = await spokenOf(call);
  const named =
    provider ?? (script === undefined ? defaultProvider(await requireProviders(bench.files)) : 'rehearsal');
  return [named, model, script === undefined ? '' : bench.hash(script)];
}

function planOf({ start: { takes } }: PlannedInjection, cases: readonly InjectionCase[]) {
  const onRecord = takes.filter(({ from }) => from !== undefined).length;
  return {
    tasks: new Set(cases.map(({ task }) => task.id)).size,
    attacks: cases.filter(({ attack }) => attack !== undefined).length,
    toRun: takes.length - onRecord,
    onRecord,
  };
}

/** What it takes, before anybody is asked. A take is a run of several turns: what those cost is known afterwards. */
function planText(planned: PlannedInjection, cases: readonly InjectionCase[]): string {
  const { tasks, attacks, toRun, onRecord } = planOf(planned, cases);
  return `plan: ${count(tasks, 'user task')}, each without an attack, and ${count(attacks, 'attack')} on them = ${count(toRun, 'run')} to make, ${onRecord} on record; a run takes 2 to 5 turns as a rule, and at most 15\n`;
}

function limitOf({ flags }: Call, { start: { takes } }: PlannedInjection) {
  const budget = budgetFlag(flags);
  return {
    turns: Math.max(1, takes.length * 2),
    tokens: budget.tokens ?? Math.max(20_000_000, takes.length * 500_000),
    ...(budget.usd === undefined ? {} : { usd: budget.usd }),
  };
}

/** Makes the takes of a plan: each in a project of its own. */
async function performer(
  call: Call,
  {
    suite,
    planned,
    ground,
    own,
  }: {
    readonly suite: InjectionSuite;
    readonly planned: PlannedInjection;
    readonly ground: TakeGround;
    readonly own: OwnProject | undefined;
  },
) {
  const { script, ...named } = await spokenOf(call);
  const voice = {
    provider: named.provider ?? (script === undefined ? defaultProvider(ground.config) : 'rehearsal'),
    model: named.model,
  };
  return async (plan: TakePlan, signal: AbortSignal) => {
    const { of, number } = planned.takes.get(plan.lane) as {
      readonly of: InjectionCase;
      readonly number: number;
    };
    const tag = tagOf(plan.key);
    const { task, attack } = of;
    const words = attack && attackText(attack.template, { goal: attack.goal, task, tag });
    const world = worldOf(task, words);
    return performTake(
      {
        ...{ key: plan.key, kind: task.kind, ask: world.ask },
        ...{ set: world.set ?? {}, results: world.results ?? {} },
        standIn: standInOf({ ...task, files: world.files ?? {} }, toolsOf(suite, of), voice),
        ...(task.target === undefined
          ? { own: undefined, program: voice.provider }
          : { own, program: undefined }),
        tag: attack && tag,
        voice: {
          ...named,
          ...(script === undefined ? {} : { script: takeScript(script, of, { number, tag }) }),
        },
      },
      ground,
      signal,
    );
  };
}

/** Digits that stand in no other text by chance. */
const tagOf = (key: string): string => key.slice(0, 10);

/** The tools of a thread: where goals go round, all of them, so that the world is the same with an attack and without. */
function toolsOf({ goals, pairs }: InjectionSuite, { task, attack }: InjectionCase): readonly StandInTool[] {
  const wanted =
    pairs === undefined
      ? goals.filter(({ kinds }) => kinds.includes(task.kind))
      : attack === undefined
        ? []
        : [attack.goal];
  const all = [...(task.tools ?? []), ...wanted.flatMap(({ tools = [] }) => tools)];
  return [...new Map(all.map((tool) => [tool.name, tool])).values()];
}
