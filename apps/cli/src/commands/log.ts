import { confidentialOfRun, createMasker, eventsOf, type Masker, type StoredEvent } from '@cuebook/journal';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { styleFor } from '../output/style.js';
import { eventLine, sessionsOf, shownEvent } from '../record/event-text.js';
import { withJournal } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';
import { requireRun, unknownRun } from '../record/run-name.js';
import { printWithIds } from '../redact/with-ids.js';

/** `cuebook log`: the events of a run, and those to come with `--follow`; of `RUN#SEQ` that event, whole. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const after = requireAfter(flagValue(flags, 'after'));
  return withJournal(flags, io, async (journal) => {
    const [word] = args;
    const [, named = word, only] = /^(\w+)#(\d{1,15})$/.exec(word ?? '') ?? [];
    if (journal === undefined && named !== undefined) throw unknownRun(named);
    const found = journal && (await requireRun(journal.store, named));
    if (journal === undefined || found === undefined) return noRuns(call);
    const { store } = journal;
    const mask = async () =>
      createMasker(isOn(flags, 'reveal') ? [] : await confidentialOfRun(store, found.run));
    let masker = await withProgress(io, 'Reading', mask());
    if (only !== undefined) {
      for await (const event of eventsOf(store, found.run, Number(only) - 1)) {
        await printJson(io, shownEvent(event, masker), { ids: sessionsOf(event) });
        return 0;
      }
      throw usage(`${found.run} has no event ${only}`);
    }
    let last = after;
    for await (const event of eventsOf(store, found.run, after)) {
      await print(call, event, masker);
      last = event.seq;
    }
    if (!isOn(flags, 'follow')) return 0;
    for await (const event of store.subscribe({ run: found.run, after: last, signal: io.stop })) {
      // A new prompt may bring new confidential words, and the events after it may repeat them.
      if (event.type === 'turn.recorded') masker = await mask();
      await print(call, event, masker);
    }
    return 0;
  });
};

async function print({ flags, io }: Call, event: StoredEvent, masker: Masker): Promise<void> {
  const ids = sessionsOf(event);
  if (isOn(flags, 'json')) return printJson(io, shownEvent(event, masker), { compact: true, ids });
  const line = eventLine(event, masker, { style: styleFor(io, 'out'), isTerminal: io.terminal.out });
  await printWithIds(io, line, ids);
}

function requireAfter(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,15}$/.test(text)) throw usage(`--after takes the number of an event, not "${text}"`);
  return Number(text);
}
