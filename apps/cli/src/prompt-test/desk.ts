import type { LiveProject } from '@cuebook/define';
import { createTokenCounter } from '@cuebook/prompt';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { openLive } from '@cuebook/thread';
import type { Call } from '../command.js';
import type { Bench } from '../project/bench.js';
import { requireProviders } from '../project/providers.js';
import { listsServers, servedBench } from '../project/servers.js';
import { isWorkflow } from '../project/workflow-folder.js';
import { workflowBench } from '../project/workflows.js';
import type { CaseDesk } from './run-case.js';
import { openScratch, type Scratch } from './scratch.js';
import type { SnapshotBook } from './snapshot/book.js';

/** Everything that cases need, and what ends it. */
export interface OpenedDesk {
  readonly desk: CaseDesk;
  readonly close: () => Promise<void>;
}

export async function openDesk(
  { io }: Call,
  bench: Bench,
  books: ReadonlyMap<string, SnapshotBook>,
): Promise<OpenedDesk> {
  let live: Promise<LiveProject> | undefined;
  let scratch: Promise<Scratch> | undefined;
  let served: Promise<Bench> | undefined;
  const workflows = new Map<string, ReturnType<typeof workflowBench>>();
  const desk: CaseDesk = {
    benchFor: async (target) => {
      if (listsServers(target)) {
        served ??= servedBench(bench, io);
        return { bench: await served, text: target };
      }
      if (!isWorkflow(target)) return { bench, text: target };
      const known = workflows.get(target) ?? workflowBench(bench, target, io, { asks: true });
      workflows.set(target, known);
      return known;
    },
    live: () => {
      live ??= openLive(bench);
      return live;
    },
    scratch: async () => {
      scratch ??= openScratch();
      return (await scratch).journal;
    },
    answering: { config: await requireProviders(bench.files), io },
    countTokens: createTokenCounter(await loadTokenizer()),
    bookOf: (file) => books.get(file) as SnapshotBook,
    now: () => performance.now(),
  };
  const close = async (): Promise<void> => {
    await (await live)?.close();
    await (await scratch)?.close();
  };
  return { desk, close };
}
