import { projectRun } from '@cuebook/engine';
import { eventsOf, type StoredEvent } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { dayOf, residentMachine, residentRun } from '@cuebook/resident';
import { type Call, isOn } from '../command.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText, styleFor } from '../output/style.js';
import { withJournal } from '../record/journal.js';
import { requireAgent } from './home.js';
import { factsText } from './sync.js';

/** What an agent is, did today and has learned, from its record alone. Exit code 1 when there is none. */
export async function tellAgent(call: Call): Promise<number> {
  const { flags, io } = call;
  const { agent } = (await requireAgent(call)).file;
  const run = residentRun(agent);
  return withJournal(flags, io, async (journal) => {
    const events: StoredEvent[] = [];
    if (journal !== undefined) for await (const event of eventsOf(journal.store, run)) events.push(event);
    const { state } = projectRun(residentMachine(agent), events);
    const { trust, mode, day, today, memory } = state;
    const { goals, friends } = dayOf(state);
    const report = events.findLast(isReport)?.data as { readonly text?: string } | undefined;
    const isThere = events.length > 0;
    if (isOn(flags, 'json')) {
      await printJson(io, {
        agent,
        run,
        mode,
        trust,
        day,
        today,
        goals,
        friends,
        weights: memory.weights,
        report: report?.text ?? null,
      });
    } else if (!isThere || trust === null)
      await io.out(
        told(io, `${agent} has not lived here yet. ${hint`sync`} takes what its platform has for it.\n`),
      );
    else {
      await io.out(told(io, factsText(agent, { ...trust, changed: false }, styleFor(io, 'out'))));
      const counts = Object.entries(today).filter(([name]) => !name.includes(' '));
      for (const [name, times] of counts) await io.out(`  ${name}: ${times}\n`);
      const shown = (words: string) => screenText(words, io.terminal.out);
      for (const { description, outcome } of goals)
        await io.out(`  goal, ${outcome}: ${shown(description)}\n`);
      if (friends.length > 0)
        await io.out(`  friends: ${shown(friends.map(({ name }) => name).join(', '))}\n`);
      const weights = Object.entries(memory.weights).map(([action, weight]) => `${action} ${weight}`);
      await io.out(`  weights: ${weights.join(', ')}\n`);
      if (report?.text !== undefined) await io.out(`  report: ${report.text}\n`);
    }
    return trust?.active === true ? 0 : 1;
  });
}

const isReport = ({ type, data }: StoredEvent): boolean =>
  type === 'deed.done' && (data as { readonly scenario?: string } | null)?.scenario === 'daily_report';
