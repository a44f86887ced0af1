import { pathToFileURL } from 'node:url';
import { type LiveProject, openLiveProject } from '@cuebook/define';
import { createTokenCounter } from '@cuebook/prompt';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import type { Call } from '../command.js';
import type { Bench } from '../project/bench.js';
import { requireProviders } from '../project/providers.js';
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
  const desk: CaseDesk = {
    benchFor: async (target) =>
      isWorkflow(target) ? workflowBench(bench, target, io) : { bench, text: target },
    live: () => {
      live ??= openLiveProject(bench.files, { folder: pathToFileURL(`${bench.folder}/`).href });
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
