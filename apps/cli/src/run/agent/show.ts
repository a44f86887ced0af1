import type { LiveView } from '@cuebook/api';
import type { TurnEvent } from '@cuebook/provider';
import { type Call, isOn } from '../../command.js';
import { screenText, styleFor } from '../../output/style.js';

/** Words as they come; what is thought and called stands beside them, and what subagents say is marked. */
export function createShow({ flags, io }: Call): (live: LiveView) => void {
  if (isOn(flags, 'json')) return () => undefined;
  const style = styleFor(io, 'err');
  let told = false;
  let isOpen = false;
  return ({ node, name = node, event: said }) => {
    const event = said as TurnEvent;
    const isMain = node === 'main';
    if (event.type === 'turn.start' && event.rehearsal && !told) {
      told = true;
      io.err(style.yellow('rehearsal: a script answers, not a model\n'));
    }
    if (event.type === 'turn.start' && isOpen) {
      void io.out('\n');
      isOpen = false;
    }
    if (event.type === 'text.delta' && isMain) {
      isOpen = true;
      void io.out(screenText(event.text, io.terminal.out));
    }
    if (event.type === 'text.delta' && !isMain) io.err(style.dim(screenText(event.text, io.terminal.err)));
    if (event.type === 'turn.start' && !isMain) io.err(style.dim(`\n[${name}] `));
    if (event.type === 'reasoning.delta') io.err(style.dim(screenText(event.text, io.terminal.err)));
    if (event.type === 'tool.end')
      io.err(
        style.cyan(
          `\n${screenText(`${event.name} ${JSON.stringify(event.input ?? null)}`, io.terminal.err)}\n`,
        ),
      );
    if (event.type === 'log' && event.level !== 'info')
      io.err(style.dim(`${screenText(event.text, io.terminal.err)}\n`));
    if (event.type === 'turn.end' && event.error !== undefined)
      io.err(style.dim(`${screenText(`${event.error.code} ${event.error.message}`, io.terminal.err)}\n`));
  };
}
