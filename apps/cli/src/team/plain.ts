import type { Client, RunView } from '@cuebook/api';
import type { Io } from '../io.js';
import { styleFor } from '../output/style.js';
import { requireAnswer } from './require.js';
import { approvalText } from './text/approval-text.js';
import { createEventLines } from './text/event-lines.js';
import { screenValue } from './text/screen-value.js';
import { watchRun } from './watch.js';

export interface PlainOptions {
  readonly client: Client;
  readonly run: string;
  readonly io: Io;
  /** From which event on things are printed; left out: from now on. */
  readonly after?: number | undefined;
  /** Nothing is printed on the way. */
  readonly silent?: boolean;
}

/** Prints what happens in a run as plain lines, until it is over or waits for a person. */
export async function followPlainly({
  client,
  run,
  io,
  after,
  silent = false,
}: PlainOptions): Promise<RunView> {
  const style = styleFor(io, 'out');
  const first = requireAnswer(await client.getRun({ run }));
  const lines = createEventLines(screenValue(first, io), style);
  const shown = new Set<string>();
  const print = async (text: string) => {
    if (!silent && text !== '') await io.out(text);
  };
  return watchRun(
    client,
    { run, after: after ?? first.seq, signal: io.stop, leaveWhenQuiet: true },
    {
      heard: (followed) => print(lines.take(screenValue(followed, io))),
      changed: async ({ needs }) => {
        for (const need of needs) {
          if (need.kind !== 'approval' || shown.has(need.approval.id)) continue;
          shown.add(need.approval.id);
          await print(approvalText(screenValue(need.approval, io), style));
        }
      },
    },
  );
}
