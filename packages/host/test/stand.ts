import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import { createSigner, openStore, type RunId, type Store } from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { NO_CONFIG } from '@cuebook/provider';
import type { HostOptions } from '../src/host.js';
import { createHost, type Host, type RunKind, type RunReport } from '../src/index.js';

/** A project, its CUEBOOK_HOME and its journal, in a throw-away folder; hosts come and go, as processes do. */
export interface Stand {
  readonly root: string;
  readonly project: string;
  readonly store: Store;
  readonly options: HostOptions;
  readonly problems: readonly unknown[];
  /** `isMortal`: it dies by itself, and is not waited for. */
  open(more?: Partial<HostOptions> & { readonly isMortal?: boolean }): Promise<Host>;
  stopAll(running?: 'wait' | 'abort'): Promise<void>;
  remove(): Promise<void>;
}

export interface StandOptions extends Partial<Pick<HostOptions, 'clock'>> {
  /** A function makes them anew for each process. */
  readonly kinds: readonly RunKind[] | (() => readonly RunKind[]);
  readonly files?: Readonly<Record<string, string>>;
  /** An existing folder, for a process that comes later. */
  readonly root?: string;
}

export async function hostStand({
  kinds,
  files: texts = {},
  root: given,
  clock,
}: StandOptions): Promise<Stand> {
  const root = given ?? realpathSync(mkdtempSync(join(tmpdir(), 'host-')));
  const [project, homeFolder] = [join(root, 'project'), join(root, 'home')];
  if (given === undefined) {
    for (const folder of [project, homeFolder]) mkdirSync(folder, { mode: 0o700 });
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
  }
  const [home, files] = [await folderOf(homeFolder), await folderOf(project)];
  const opened = await openStore({ file: join(homeFolder, 'journal.db') }, { home: homeFolder });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const signer = await createSigner(home);
  if (!signer.ok) throw new Error(signer.error.code);
  const problems: unknown[] = [];
  const kindsOf = (): readonly RunKind[] => (typeof kinds === 'function' ? kinds() : kinds);
  const context = { roots: [['@project', project]], private: [root], names: [] } as const;
  const options: HostOptions = {
    ...{
      kinds: kindsOf(),
      store: opened.value,
      signer: signer.value,
      home,
      homeFolder,
      folder: project,
      files,
    },
    ...{ context, redactor: createRedactor(context), hash: sha256 },
    providers: { config: NO_CONFIG, env: { PATH: process.env.PATH } },
    onProblem: (error) => problems.push(error),
    ...(clock && { clock }),
  };
  const hosts: Host[] = [];
  const stopAll = async (running: 'wait' | 'abort' = 'abort') => {
    for (const host of hosts.splice(0)) await host.stop({ running });
  };
  return {
    ...{ root, project, store: opened.value, options, problems, stopAll },
    async open({ isMortal = false, ...more } = {}) {
      const host = createHost({ ...options, kinds: kindsOf(), ...more });
      if (!isMortal) hosts.push(host);
      await host.start();
      return host;
    },
    async remove() {
      await stopAll();
      await opened.value.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

async function folderOf(folder: string): Promise<Files> {
  const opened = await openFolder(folder);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

/** The value of an answer; what is none fails the test with its words. */
export function must<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown },
): Value {
  if (answer.ok) return answer.value;
  throw new Error(JSON.stringify(answer.error));
}

/** Waits, event by event, until a report is as wanted. */
export async function until(
  host: Host,
  run: RunId,
  isWanted: (report: RunReport) => boolean,
): Promise<RunReport> {
  const done = new AbortController();
  try {
    const first = must(await host.report(run));
    if (isWanted(first)) return first;
    for await (const _ of host.events(run, { after: first.seq, signal: done.signal })) {
      const report = must(await host.report(run));
      if (isWanted(report)) return report;
    }
    throw new Error('The events ended.');
  } finally {
    done.abort();
  }
}
