import type { RunId, Store } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import { createFailedCalls, replayMachine } from '@cuebook/workflow';
import { type Call, isOn } from '../../command.js';
import { screenText, styleFor } from '../../output/style.js';
import type { RunFollowing } from '../door.js';

/** Shows a run as it happens: words on standard output, a line for each turn; what is thought and done beside them. */
export function createScreen({ flags, io }: Call): (event: TurnEvent) => void {
  if (isOn(flags, 'json')) return () => undefined;
  const style = styleFor(io, 'err');
  let isFirst = true;
  let hasWords = false;
  return (event) => {
    switch (event.type) {
      case 'turn.start':
        if (isFirst && event.rehearsal) io.err(style.yellow('rehearsal: a script answers, not a model\n'));
        isFirst = false;
        hasWords = false;
        return;
      case 'text.delta':
        hasWords = true;
        void io.out(screenText(event.text, io.terminal.out));
        return;
      case 'reasoning.delta':
        return io.err(style.dim(screenText(event.text, io.terminal.err)));
      case 'tool.end':
        return io.err(style.cyan(`${screenText(toolLine(event), io.terminal.err)}\n`));
      case 'turn.end':
        if (hasWords) void io.out('\n');
        return;
      case 'log':
        if (event.level !== 'info') io.err(style.dim(`${screenText(event.text, io.terminal.err)}\n`));
    }
  };
}

/** Shows in one line that a call was refused or failed, and why: from the events of a run after a cursor. */
export async function createFailureScreen(
  { flags, io }: Call,
  { store, run, seq }: { readonly store: Pick<Store, 'read'>; readonly run: RunId; readonly seq: number },
): Promise<NonNullable<RunFollowing['event']>> {
  if (isOn(flags, 'json')) return () => undefined;
  const style = styleFor(io, 'err');
  const tell = createFailedCalls(({ name, code, message }) => {
    const line = clipped(`${name} failed: ${code} ${message}`.replace(/\s+/g, ' ').trim());
    io.err(`${style.red('✗')} ${screenText(line, io.terminal.err)}\n`);
  });
  const machine = replayMachine('workflow');
  const before = seq === 0 ? [] : await store.read(run, { limit: seq });
  let state = before.reduce((each, event) => machine.project(each, event as never), machine.initial);
  tell(state);
  return (event) => {
    state = machine.project(state, event as never);
    tell(state);
  };
}

const MAX_LINE = 200;

function toolLine({ name, input }: Extract<TurnEvent, { type: 'tool.end' }>): string {
  return clipped(`${name} ${JSON.stringify(input ?? null)}`);
}

const clipped = (line: string): string =>
  line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
