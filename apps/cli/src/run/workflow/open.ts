import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findWorker } from '@cuebook/engine';
import { openLogins } from '@cuebook/host';
import {
  anchorFileOf,
  createRecorder,
  createSigner,
  promptHash,
  type RunId,
  type Store,
} from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import { connectServers, NO_SERVERS } from '@cuebook/provider/servers';
import {
  allowedServers,
  type DataContext,
  type FailedCall,
  openWorkflowRun,
  type RunFacts,
  type WorkflowRun,
} from '@cuebook/workflow';
import type { Call } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { type Journal, type JournalPlace, keyFailure } from '../../record/journal.js';
import type { RunTrace } from '../trace.js';
import type { Voice } from '../voice.js';
import type { RunTarget } from './target.js';

/** Where the records of a folder are, whether it is a project or not. */
export function placeOf(folder: string, { env, cwd }: Call['io']): JournalPlace {
  const { CUEBOOK_HOME: named, CUEBOOK_DATABASE_URL: databaseUrl } = env;
  const home = named ? resolve(cwd, named) : join(folder, '.cuebook');
  const place = databaseUrl ? { databaseUrl } : { file: join(home, 'journal.db') };
  return { home, place, folder, anchorFile: anchorFileOf(home, env), env };
}

export interface OpenedWorkflow {
  readonly run: RunId;
  readonly journal: Journal;
  readonly home: string;
  readonly target: RunTarget;
  readonly voice: Voice;
  readonly trace: RunTrace;
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId'> & Partial<RunFacts>;
  /** A file that the conversation is about. */
  readonly data?: DataContext | undefined;
  readonly publish: (event: TurnEvent) => void;
  readonly onFailedCall: (failed: FailedCall) => void;
}

interface Speaking {
  readonly model: string | undefined;
  /** Lanes of a script, the first that has one. */
  readonly names: readonly string[];
  readonly resume: string | undefined;
}

/** Puts the run together. Servers that the policy of no agent allows are not even started. */
export async function openRun(open: OpenedWorkflow, call: Call): Promise<WorkflowRun> {
  const { journal, target, voice, trace, run, home } = open;
  const signer = await createSigner(journal.home);
  if (!signer.ok) throw keyFailure(signer.error);
  const { bench, settings, kept, workflow } = target;
  const { redactor, folder } = bench;
  const isOn = settings.tools.mcp?.enabled === true;
  const servers = isOn
    ? await connectServers(allowedServers(settings), {
        ...{ env: call.io.env, cwd: folder, redactor },
        logins: openLogins(async () => journal.home),
      })
    : NO_SERVERS;
  for (const problem of servers.problems) call.io.err(`warning: ${problem}\n`);
  const { maxTurns, contextTokens } = settings;
  const speak = ({ model, names, resume }: Speaking) =>
    trace.overhear(
      voice.provider.open({
        ...{ redactor, cwd: folder, home, access: 'plan', names },
        ...(model && { model }),
        ...(resume === undefined ? {} : { resume }),
      }),
    );
  const opened = await openWorkflowRun({
    run,
    store: journal.store,
    recorder: createRecorder({ store: journal.store, signer: signer.value }),
    package: target.package,
    workflow,
    facts: { ...(maxTurns === undefined ? {} : { maxTurns }), ...open.facts },
    places: { project: folder, pkg: target.pkg, folder: join(home, 'workflows', run), home },
    kept,
    entry: target.entry,
    settings: kept.tools,
    allowed: settings.tools,
    servers,
    ...(open.data === undefined ? {} : { data: open.data }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    voice: {
      provider: voice.provider.name,
      kind: voice.provider.kind,
      priced: voice.priced,
      ...(voice.model === undefined ? {} : { model: voice.model }),
      open: (resume) => speak({ model: voice.model, names: [workflow.id], resume }),
      fallbacks: (settings.fallbacks ?? []).map((model) => ({
        model,
        priced: voice.isPriced(model),
        open: (resume) => speak({ model, names: [model, workflow.id], resume }),
      })),
    },
    redactor,
    hash: promptHash,
    publish: open.publish,
    onFailedCall: open.onFailedCall,
  });
  if (!opened.ok) throw new Failure(opened.error.code, opened.error.message, { exit: 3 });
  return opened.value;
}

/** A process that was killed is believed to live for a few seconds: so many looks, whatever the clock says. */
const LOOKS = 40;
const LOOK_MS = 200;

/** Takes up the work of a run; a living process that has it keeps it. */
export async function takeRun(
  run: WorkflowRun,
  { id, store }: { readonly id: RunId; readonly store: Store },
): Promise<void> {
  for (let looks = 1; !(await run.take()); looks += 1) {
    if (looks > LOOKS) {
      const worker = (await findWorker(store, id)) ?? 'another process';
      throw new Failure('E_RUN_HELD', `${id} is worked on by ${worker}. Wait until it has ended.`, {
        exit: 1,
      });
    }
    await wait(LOOK_MS);
  }
}

/** What a run was begun with. */
export async function factsOf(
  store: Store,
  id: RunId,
  { package: loaded, workflow }: RunTarget,
): Promise<RunFacts> {
  const [first] = await store.read(id, { limit: 1 });
  if (first?.type !== 'workflow.started') throw usage(`${id} is not a run of a workflow`);
  const facts = first.data as unknown as RunFacts;
  if (facts.package === loaded.name && facts.workflow === workflow.id) return facts;
  throw usage(`${id} is a run of ${facts.package}#${facts.workflow}, not of ${loaded.name}#${workflow.id}`);
}
