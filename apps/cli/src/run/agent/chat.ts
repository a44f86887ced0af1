import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { RunId } from '@cuebook/journal';
import type { Threads } from '@cuebook/thread';
import type { Io } from '../../io.js';
import { styleFor } from '../../output/style.js';
import type { Journal } from '../../record/journal.js';
import { readThread } from './read-report.js';
import { endText, reportOf } from './report.js';

export interface Chat {
  readonly run: RunId;
  readonly agent: string;
  readonly threads: Threads;
  readonly journal: Journal;
  readonly io: Io;
  readonly begin: (text: string) => Promise<void>;
}

/**
 * A conversation at a terminal. The first Ctrl-C ends the turn under way, one at the prompt leaves; `/exit` and the
 * end of input leave too. The thread stays: `--thread` goes on with it.
 */
export async function chat({ run, agent, threads, journal, io, begin }: Chat): Promise<void> {
  const style = styleFor(io, 'err');
  const output = new Writable({
    write: (chunk, _encoding, done) => void io.out(String(chunk)).then(() => done(), done),
  });
  const lines = createInterface({
    input: io.stdin as unknown as NodeJS.ReadableStream,
    output,
    terminal: true,
    prompt: '> ',
  });
  let isBusy = false;
  let isLeaving = false;
  const leave = (): void => {
    isLeaving = true;
    lines.close();
  };
  lines.on('SIGINT', () => {
    if (!isBusy || isLeaving) return leave();
    isLeaving = true;
    io.err(style.dim('\nThe turn ends. Once more leaves.\n'));
    void threads.stop(run).finally(() => {
      isLeaving = false;
    });
  });
  io.stop.addEventListener('abort', leave, { once: true });
  io.err(style.dim(`${run}: /exit leaves, Ctrl-C ends a turn\n`));
  lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/exit' || text === '/quit') break;
    if (text !== '') {
      isBusy = true;
      await begin(text);
      await threads.drain();
      isBusy = false;
      io.err(endText(reportOf(agent, await readThread(threads, journal, run)), io));
    }
    lines.prompt();
  }
  lines.close();
}
