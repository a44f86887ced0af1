import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Io } from '../../io.js';

/** A screen on which words appear while a person types. */
export interface Screen {
  /** Puts text above the line that is being typed. */
  print(text: string): void;
  /** What the person typed, line by line. */
  readonly lines: AsyncIterable<string>;
  /** Hands the terminal over while `work` runs, for an editor. */
  suspend<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): void;
}

/** The line that is typed stays at the bottom while text appears above it. For a person at a terminal. */
export function openScreen(io: Io, prompt: string): Screen {
  const input = io.stdin as unknown as NodeJS.ReadStream;
  // One stream for the line that is typed and for what appears above it, so that neither gets into the other.
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => void io.out(text).then(() => done()),
  });
  const line = createInterface({ input, output, terminal: true, prompt, historySize: 100 });
  let isSuspended = false;
  let waiting = '';
  const queue = createQueue();
  line.on('line', (text) => queue.push(text));
  line.on('SIGINT', () => queue.push('quit'));
  line.on('close', () => queue.end());
  line.prompt();
  const print = (text: string): void => {
    if (isSuspended) {
      waiting += text;
      return;
    }
    if (text === '') return;
    output.write(`\r\u001b[K${text}`);
    line.prompt(true);
  };
  return {
    print,
    lines: {
      async *[Symbol.asyncIterator]() {
        for await (const text of queue.items) {
          yield text;
          if (!isSuspended) line.prompt();
        }
      },
    },
    async suspend(work) {
      isSuspended = true;
      line.pause();
      input.setRawMode(false);
      try {
        return await work();
      } finally {
        input.setRawMode(true);
        isSuspended = false;
        line.resume();
        const held = waiting;
        waiting = '';
        print(held === '' ? '\n' : held);
      }
    },
    close() {
      line.close();
      output.write('\r\u001b[K');
    },
  };
}

/** Lines that come when they like, for one reader. */
function createQueue(): { push(text: string): void; end(): void; readonly items: AsyncIterable<string> } {
  const held: string[] = [];
  let isEnded = false;
  let wake: () => void = () => undefined;
  return {
    push(text) {
      held.push(text);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    items: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          for (let text = held.shift(); text !== undefined; text = held.shift()) yield text;
          if (isEnded) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      },
    },
  };
}
