import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineFault } from '@cuebook/engine';
import type { Fault, TextSource } from '@cuebook/files';
import { createRecorder, openStore, type RunId, type Store, signerOf } from '@cuebook/journal';
import { createRedactor, type LeakContext } from '@cuebook/prompt';
import { createRehearsalProvider, type ScriptStep, type Sent, type Session } from '@cuebook/provider';
import type { Servers } from '@cuebook/provider/servers';
import { onTestFinished } from 'vitest';
import { openWorkflowRun } from '../src/index.js';
import type { ToolSettings } from '../src/policy/policy.js';
import type { WorkflowRunInput } from '../src/run/input.js';
import { GRAPH, mustLoad, type Parts, packageTexts } from './fixture.js';
import { hash } from './hash.js';
import { makeRoot, plant } from './scratch.js';

export const RUN = 'run_1' as RunId;

export interface RunDeskInput {
  readonly steps?: readonly ScriptStep[];
  readonly parts?: Parts;
  readonly facts?: Partial<WorkflowRunInput['facts']>;
  readonly project?: Readonly<Record<string, string>>;
  readonly settings?: ToolSettings;
  readonly servers?: Servers;
  readonly contextTokens?: number;
  readonly data?: WorkflowRunInput['data'];
  readonly leak?: Partial<LeakContext>;
  readonly voice?: Partial<WorkflowRunInput['voice']>;
  /** The one agent of every node. */
  readonly graphAgent?: string;
  readonly pkg?: TextSource;
  readonly fault?: { readonly engine?: EngineFault; readonly files?: Fault };
}

/** A message of a request as the rehearsal was sent it. */
export interface SentMessage {
  readonly role: string;
  readonly content: string;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly toolCallId?: string;
}

export interface SentRequest {
  readonly messages: readonly SentMessage[];
  readonly tools: readonly { readonly name: string; readonly description?: string }[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Real folders, a real journal, and a rehearsal that speaks. `open` is a process: a second one goes on. */
export async function runDesk(input: RunDeskInput = {}) {
  const agentId = input.graphAgent;
  const nodes = GRAPH.nodes.map((node) => ({ ...node, agentId }));
  const parts = { ...input.parts, ...(agentId === undefined ? {} : { graph: { ...GRAPH, nodes } }) };
  const { package: loaded, workflow } = await mustLoad(parts);
  const project = makeRoot(input.project);
  const folder = makeRoot();
  const home = makeRoot();
  const pkg = input.pkg ?? makeRoot(packageTexts(parts));
  const requests: SentRequest[] = [];
  const signer = signerOf(
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  if (signer === undefined) throw new Error('no key');
  const redactor = createRedactor({
    private: [home, folder, ...(input.leak?.private ?? [])],
    names: input.leak?.names ?? [],
    roots: [['@project', project], ...(input.leak?.roots ?? [])],
  });
  const open = async (more: RunDeskInput & { readonly place?: string } = {}) => {
    const given = { ...input, ...more };
    const store: Store = await mustOpen(join(home, 'journal.db'));
    const provider = createRehearsalProvider({ script: { lanes: { '*': given.steps ?? [] } } });
    const opened = await openWorkflowRun({
      run: RUN,
      store,
      recorder: createRecorder({ store, signer }),
      package: loaded,
      workflow,
      facts: { mode: 'run', activeAgentId: 'sm', ...given.facts },
      places: { project, pkg: more.place ?? pkg, folder },
      settings: given.settings ?? {},
      ...(given.servers ? { servers: given.servers } : {}),
      ...(given.data === undefined ? {} : { data: given.data }),
      ...(given.contextTokens === undefined ? {} : { contextTokens: given.contextTokens }),
      voice: {
        provider: 'rehearsal',
        kind: 'rehearsal',
        priced: true,
        open: (resume) =>
          overhear(provider.open({ redactor, ...(resume === undefined ? {} : { resume }) }), requests),
        ...given.voice,
      },
      redactor,
      hash,
      leaseMs: 10_000,
      ...(given.fault ? { fault: given.fault } : {}),
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const run = opened.value;
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await run.close({ running: 'abort' });
      await store.close();
    };
    onTestFinished(close);
    let commands = 0;
    return {
      ...run,
      store,
      close,
      say: (text: string) =>
        run.submit(`say ${process.hrtime.bigint()}`, { type: 'agent.say', text, by: 'ann' }),
      command: (command: Parameters<typeof run.submit>[1]) => {
        commands += 1;
        return run.submit(`command ${commands} ${process.hrtime.bigint()}`, command);
      },
      async play(text?: string): Promise<void> {
        if (!(await run.take())) throw new Error('held');
        const begun = await run.begin({ by: 'ann', ...(text === undefined ? {} : { text }) });
        if (!begun.ok) throw new Error(begun.error.message);
        await run.drain();
      },
    };
  };
  const fileOf = (root: string, path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  return {
    open,
    /** With the package in a folder of the project. */
    openIn(inside: string) {
      plant(join(project, inside), packageTexts(parts));
      return open({ place: join(project, inside) });
    },
    requests,
    project,
    folder,
    home,
    redactor,
    /** Calls that somebody noted down and nobody has finished. */
    notes: () => (existsSync(join(folder, 'logs/calls')) ? readdirSync(join(folder, 'logs/calls')) : []),
    inProject: (path: string) => fileOf(project, path),
    plantState: (path: string, text: string) => writeFileSync(join(folder, path), text),
    inState: (path: string) => fileOf(folder, path),
    audit: () =>
      (fileOf(folder, 'logs/execution.jsonl') ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { toolCallId: string; toolName: string; output: { ok: boolean } }),
  };
}

async function mustOpen(file: string): Promise<Store> {
  const opened = await openStore({ file });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

function overhear(session: Session, requests: SentRequest[]): Session {
  return {
    turn: (input) =>
      session.turn({
        ...input,
        beforeSend: async (sent: Sent) => {
          await input.beforeSend?.(sent);
          requests.push(JSON.parse(new TextDecoder().decode(sent.bytes)) as SentRequest);
        },
      }),
    close: () => session.close(),
  };
}

/** A turn that makes calls. */
export const calls = (...made: readonly (readonly [name: string, args: unknown])[]): ScriptStep =>
  ({ toolCalls: made.map(([name, args]) => ({ name, args })) }) as ScriptStep;

/** A turn that changes the state. */
export const patch = (update: object): readonly [string, unknown] => [
  'fs.apply_patch',
  { path: '@state/workflow.md', patch: { operation: 'updateFrontmatter', update } },
];

export const write = (path: string, content: string): readonly [string, unknown] => [
  'fs.write',
  { path, content },
];

/** Completes a node and goes on to another; without one it stays. */
export const move = (from: string, to?: string): readonly [string, unknown] =>
  patch({ stepsCompleted: { append: [from] }, ...(to === undefined ? {} : { currentNodeId: { set: to } }) });

/** A model that carries the workflow of the fixture out, by the first branch. */
export const WHOLE: readonly ScriptStep[] = [
  calls(['fs.read', { path: '@pkg/workflows/hb/steps/step-01-intake.md' }]),
  calls(write('@project/artifacts/intake.md', 'a shop\n'), move('step-01-intake', 'decide-02-project-type')),
  calls(
    patch({
      variables: { set: { projectType: 'greenfield' } },
      decisionLog: {
        append: [{ from: 'decide-02-project-type', to: 'step-03a-greenfield', label: 'greenfield' }],
      },
      stepsCompleted: { append: ['decide-02-project-type'] },
      currentNodeId: { set: 'step-03a-greenfield' },
    }),
  ),
  calls(write('@project/artifacts/plan.md', 'one\n'), move('step-03a-greenfield', 'end-99')),
  calls(move('end-99')),
  { text: 'All is done.' },
];
