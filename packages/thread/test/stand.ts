import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LiveProject, openLiveProject } from '@cuebook/define';
import { type Files, memorySource, openFolder } from '@cuebook/files';
import { openVault, type VariableVault } from '@cuebook/host';
import { createSigner, openStore, type RunId, type Store } from '@cuebook/journal';
import { type JsonValue, ok } from '@cuebook/prompt';
import {
  createRehearsalProvider,
  type Provider,
  type Script,
  type ScriptStep,
  type Sent,
} from '@cuebook/provider';
import { findFrame, ROOT, type ThreadRunState } from '../src/run/state.js';
import { openThreads, type ThreadStart, type Threads, type ThreadsOptions } from '../src/threads.js';

export const RUN = 'run_thread' as RunId;

export type Project = Readonly<Record<string, string>>;

/** A thread that runs on real parts: a real project, a real journal, a rehearsed model. */
export interface Stand {
  readonly threads: Threads;
  readonly live: LiveProject;
  readonly store: Store;
  readonly folder: string;
  readonly files: Files;
  /** The bodies of all requests, in the order in which they were sent. */
  readonly requests: readonly Body[];
  readonly start: (given?: Partial<ThreadStart>) => Promise<ThreadRunState>;
  readonly say: (text: string) => Promise<ThreadRunState>;
  /** Everything that was written down, as one text. */
  readonly everything: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface Body {
  readonly model?: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly args: JsonValue }[];
    readonly toolCallId?: string;
    readonly parts?: readonly JsonValue[];
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: JsonValue;
  }[];
  readonly params: { readonly [key: string]: JsonValue };
}

export async function openStand(
  project: Project,
  lanes: Readonly<Record<string, readonly ScriptStep[]>>,
  options: Partial<ThreadsOptions> = {},
): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), 'thread-'));
  const home = await required(openFolder(join(folder, 'home'), { create: true }));
  const files = await required(openFolder(folder));
  const store = await required(openStore({ file: join(folder, 'home', 'journal.db') }));
  const signer = await required(createSigner(home));
  const vault: VariableVault = await required(openVault(home));
  const source = memorySource(
    Object.fromEntries(Object.entries(project).map(([path, text]) => [`agents/${path}`, text])),
  );
  if (!source.ok) throw new Error(source.error.code);
  const live = options.live ?? (await openLiveProject(source.value, { limits: { fileMs: 60_000 } }));
  const requests: Body[] = [];
  const provider = overheard(createRehearsalProvider({ script: { lanes } as Script }), requests);
  const opened = await openThreads({
    live,
    store,
    signer,
    vault,
    files,
    home: join(folder, 'home'),
    provider: () => ok(provider),
    context: { roots: [], private: [], names: [] },
    owner: `test ${randomBytes(4).toString('hex')}`,
    ...options,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const threads = opened.value;
  const settle = async (): Promise<ThreadRunState> => {
    await threads.drain();
    return threads.read(RUN);
  };
  return {
    threads,
    live,
    store,
    folder,
    files,
    requests,
    async start(given = {}) {
      const begun = await threads.start({ run: RUN, agent: 'desk', text: 'Hello.', ...given });
      if (!begun.ok) throw new Error(`${begun.error.code} ${begun.error.message}`);
      return settle();
    },
    async say(text) {
      const said = await threads.say(RUN, { text });
      if (!said.ok) throw new Error(`${said.error.code} ${said.error.message}`);
      return settle();
    },
    async everything() {
      const events = await store.read(RUN, { limit: 100_000 });
      return JSON.stringify({ events, requests, state: await threads.read(RUN) });
    },
    async close() {
      await threads.close({ running: 'abort' });
      await live.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function overheard(provider: Provider, requests: Body[]): Provider {
  return {
    ...provider,
    open: (options) => {
      const session = provider.open(options);
      return {
        turn: (input) =>
          session.turn({
            ...input,
            beforeSend: async (sent: Sent) => {
              await input.beforeSend?.(sent);
              requests.push(JSON.parse(new TextDecoder().decode(sent.bytes)));
            },
          }),
        close: () => session.close(),
      };
    },
  };
}

async function required<T>(
  opened: Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: object }>,
): Promise<T> {
  const result = await opened;
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export const root = (state: ThreadRunState) => {
  const frame = findFrame(state, ROOT);
  if (frame === undefined) throw new Error('not started');
  return frame;
};

/** The words of a request by role, for tables. */
export const said = (body: Body | undefined): readonly string[] =>
  (body?.messages ?? []).map(({ role, content }) => `${role}: ${content}`);
