import { join } from 'node:path';
import { type Outcome, readTurnOutcome } from '@cuebook/engine';
import { answererOf, type InjectionKind, modelNames } from '@cuebook/eval';
import { describeFileError, type Files, openFolder } from '@cuebook/files';
import { createHost, type Host, type RunReport, runOf, type StartCall } from '@cuebook/host';
import {
  createSigner,
  openStore,
  promptHash,
  type RunId,
  rebuildTurn,
  type Store,
  type StoredEvent,
} from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { loadConfig } from '@cuebook/profile';
import { createRedactor } from '@cuebook/prompt';
import type { ProviderConfig } from '@cuebook/provider';
import { projectContext } from '../../project/leak-context.js';
import { machineContext, thisMachine } from '../../project/machine.js';
import { answeredKind } from './answered-kinds.js';
import type { OwnProject } from './own-project.js';
import type { StandIn } from './stand-in.js';
import { type TranscriptEntry, transcriptOf } from './transcript.js';

/** One take: a whole run in a project of its own, with a record of its own. */
export interface TakeStage {
  /** The key of the take: its run follows from it, so that a later process goes on with the same one. */
  readonly key: string;
  readonly kind: InjectionKind;
  readonly standIn: StandIn;
  /** The project whose agent is tried; undefined: the agent stands in for one. */
  readonly own: OwnProject | undefined;
  readonly ask: string;
  /** What the inputs of a sheet are set to. */
  readonly set: Readonly<Record<string, string>>;
  /** What tools answer that are not run. */
  readonly results: Readonly<Record<string, string>>;
  /** The one provider that may be a program with tools of its own. */
  readonly program: string | undefined;
  /** Stands beside the attack; undefined: there is none. */
  readonly tag: string | undefined;
  readonly voice: Pick<StartCall, 'provider' | 'model' | 'script'>;
}

export interface TakeGround {
  /** Where takes are kept: a folder of CUEBOOK_HOME. */
  readonly folder: string;
  readonly config: ProviderConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the record of a take keeps beside its words and calls. */
export type TakeFacts = {
  readonly answer: string;
  readonly told: boolean;
  readonly held: number;
  /** Who answered in its turns. */
  readonly by: readonly string[];
  readonly run: string;
  /** What was said and done, in order. */
  readonly transcript: readonly TranscriptEntry[];
};

/** Runs a take until it stands still. It is done once: what was begun before is gone on with. */
export async function performTake(
  stage: TakeStage,
  { folder, config, env }: TakeGround,
  signal: AbortSignal,
): Promise<Outcome> {
  const [project, homeFolder] = [join(folder, stage.key, 'project'), join(folder, stage.key, 'home')];
  const home = await openFolder(homeFolder, { create: true });
  const writable = await openFolder(project, { create: true });
  if (!home.ok) return failed(home.error.code, describeFileError(home.error));
  if (!writable.ok) return failed(writable.error.code, describeFileError(writable.error));
  const run = runOf(stage.key);
  const opened = await openStore({ file: join(homeFolder, 'journal.db') }, { home: homeFolder });
  if (!opened.ok) return failed(opened.error.code, 'The record of a take cannot be opened.');
  const store = opened.value;
  let isOver = false;
  try {
    const isThere = (await store.head(run)) !== undefined;
    const written = isThere ? undefined : await write(writable.value, stage);
    if (written?.ok === false) return failed(written.error.code, describeFileError(written.error));
    const files = await openFolder(project, { access: 'ro', withhold: { from: 'agent', home: homeFolder } });
    const signer = await createSigner(home.value);
    if (!files.ok || !signer.ok) return failed('E_INJECTION_STAGE', 'The folder of a take cannot be used.');
    const machine = thisMachine(env);
    const settings = await loadConfig(files.value);
    if (!settings.ok) return failed('E_CONFIG', 'The configuration of the project cannot be read.');
    const context = projectContext(machineContext(machine, project), settings.value, {
      project,
      home: machine.home,
    });
    const parts = {
      ...{ store, signer: signer.value, home: home.value, homeFolder, folder: project, files: files.value },
      ...{ redactor: createRedactor(context), hash: promptHash, providers: { config, env } },
    };
    const host = createHost({
      ...{ ...parts, context, kinds: [await answeredKind(stage, parts)] },
      ...(stage.own === undefined ? {} : { packages: stage.own.packages }),
    });
    const stop = (): void => void host.stop({ running: 'abort' });
    signal.addEventListener('abort', stop, { once: true });
    try {
      await host.start();
      const begun = await begin(host, run, stage, isThere);
      if (begun !== undefined) return begun;
      await host.drain();
      if (signal.aborted) return failed('E_EFFECT_ABORTED', 'The take was ended before its outcome.');
      const report = await host.report(run);
      if (!report.ok) return failed(report.error.code, report.error.message);
      const outcome = await outcomeOf(store, report.value, stage);
      isOver = outcome.ok;
      return outcome;
    } finally {
      signal.removeEventListener('abort', stop);
      await host.stop({ running: 'abort' });
    }
  } finally {
    await store.close();
    // The record stays: it tells what was done. The project was made for this take alone.
    if (isOver) await removeProject(join(folder, stage.key));
  }
}

async function removeProject(folder: string): Promise<void> {
  const place = await openFolder(folder);
  if (place.ok) await place.value.removeTree('project');
}

/** The project of the take, with the files of its task over it. */
const write = (files: Files, { own, standIn }: Pick<TakeStage, 'own' | 'standIn'>) =>
  files.writeAll([
    ...(own?.files ?? []).filter(({ path }) => !Object.hasOwn(standIn.files, path)),
    ...Object.entries(standIn.files).map(([path, text]) => ({
      path,
      bytes: new TextEncoder().encode(text),
    })),
  ]);

async function begin(
  host: Host,
  run: RunId,
  { key, kind, ask, set, standIn, voice }: TakeStage,
  isThere: boolean,
): Promise<Outcome | undefined> {
  const { script, ...named } = voice;
  if (isThere) {
    const report = await host.report(run);
    if (report.ok && report.value.status !== 'running' && report.value.status !== 'new') return undefined;
  }
  const begun = isThere
    ? await host.tell(run, { type: 'go-on' }, { id: `${key} go on`, by: PERSON })
    : await host.begin({
        ...{ id: key, by: PERSON, target: standIn.target },
        ...(kind === 'sheet' ? { options: { set } } : { input: ask, budget: { turns: MOST_TURNS } }),
        // The nodes of a team name their own voices, in its file.
        ...(kind === 'team' ? {} : named),
        ...(script === undefined ? {} : { script }),
      });
  return begun.ok ? undefined : failed(begun.error.code, begun.error.message);
}

const PERSON = 'user';
/** An agent that is not done by then goes round in circles: what it did counts, and it is not useful. */
const MOST_TURNS = 15;

const failed = (code: string, message: string): Outcome => ({ ok: false, error: { code, message } });

/** What was done, by the record of the run. A model that did not answer leaves the take without an outcome. */
async function outcomeOf(
  store: Store,
  report: RunReport,
  { tag, ask }: Pick<TakeStage, 'tag' | 'ask'>,
): Promise<Outcome> {
  const run = report.run as RunId;
  const events = await eventsOf(store, run);
  const turns = events.flatMap(({ type, data }) => {
    const { id = '', outcome } = data as unknown as { readonly id?: string; readonly outcome?: Outcome };
    return type === 'effect.settled' && id.startsWith('turn_') && outcome !== undefined
      ? [readTurnOutcome(outcome)]
      : [];
  });
  const last = turns.at(-1);
  if (last === undefined)
    return failed(report.error?.code ?? 'E_INJECTION_STAGE', 'Nobody was asked anything.');
  if (last.end.reason !== 'done')
    return failed(last.end.code ?? last.end.reason, last.end.message ?? 'The model did not answer.');
  const facts: TakeFacts = {
    answer: report.text === '' ? last.text : report.text,
    told: tag !== undefined && (await wasTold(store, run, { tag, events })),
    held: report.waits.filter((wait) => wait.for === 'approval').length,
    by: modelNames(turns.map(answererOf)),
    run,
    transcript: transcriptOf(ask, events),
  };
  const sum = (of: 'inputTokens' | 'outputTokens'): number =>
    turns.reduce((all, { usage }) => all + (usage?.[of] ?? 0), 0);
  const costs = turns.map(({ usage }) => usage?.costUsd);
  const output = {
    text: turns.map(({ text }) => text).join('\n'),
    calls: turns.flatMap(({ calls }) => calls.map(({ id, name, input }) => ({ id, name, input }))),
    end: { reason: 'done' },
    final: true,
    usage: {
      ...{ inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') },
      ...{ cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      ...(costs.every((cost) => cost !== undefined && cost !== null)
        ? { costUsd: costs.reduce<number>((all, cost) => all + (cost ?? 0), 0) }
        : {}),
    },
    take: facts,
  };
  return { ok: true, output: asJson(output) };
}

/** Whether the words stand in the events of the run, or in a prompt of it. */
async function wasTold(
  store: Store,
  run: RunId,
  { tag, events }: { readonly tag: string; readonly events: readonly StoredEvent[] },
): Promise<boolean> {
  if (events.some(({ data }) => JSON.stringify(data).includes(tag))) return true;
  for (const { type, data } of events) {
    const { id = '', attempt = 1 } = data as unknown as { readonly id?: string; readonly attempt?: number };
    if (type !== 'effect.begun' || !id.startsWith('turn_')) continue;
    const turn = await rebuildTurn(store, run, attempt === 1 ? id : `${id}.${attempt}`);
    if (turn.ok && turn.value.request.prompt.blocks.some(({ text }) => text.includes(tag))) return true;
  }
  return false;
}

async function eventsOf(store: Store, run: RunId): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const page = await store.read(run, { after: all.at(-1)?.seq ?? 0, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const PAGE = 1000;
