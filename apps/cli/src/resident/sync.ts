import { randomUUID } from 'node:crypto';
import type { RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { createSync, residentRun, type TrustFacts } from '@cuebook/resident';
import { type Call, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { told } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { type Style, styleFor } from '../output/style.js';
import { type Journal, journalPlace, withOpened } from '../record/journal.js';
import { openAgentDesk } from './desk.js';
import { requireAgent } from './home.js';

/** Takes what is new for the agent of this folder. Exit code 1 when something was refused, or nothing was ever valid. */
export async function syncAgent(call: Call): Promise<number> {
  const { flags, io } = call;
  const home = await requireAgent(call);
  const { agent } = home.file;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const desk = await openAgentDesk(home, journal, { clockIsRight: isOn(flags, 'clock-is-right') });
    const engine = createSync({ agent, store: journal.store, desk });
    const run = residentRun(agent);
    const before = (await journal.store.head(run))?.seq ?? 0;
    try {
      const started = await engine.start();
      if (!started.ok) throw held(agent);
      const done = await engine.submit(run, { id: randomUUID(), type: 'resident.sync', agent });
      if (!done.ok)
        throw new Failure('E_RESIDENT', 'The record of this folder is about another agent.', { exit: 1 });
      await engine.drain();
      const failed = await failureSince(journal, run, before);
      const facts = (await engine.read(run)).state.trust;
      if (facts === null || failed !== undefined) throw failedSync(failed);
      if (isOn(flags, 'json')) await printJson(io, { agent, run, ...facts });
      else await io.out(told(io, factsText(agent, facts, styleFor(io, 'out'))));
      return facts.active && facts.failures.length === 0 ? 0 : 1;
    } finally {
      await engine.stop();
    }
  });
}

/** Another process has the agent's work. */
export const held = (agent: string): Failure =>
  new Failure('E_RESIDENT', `${agent} lives in another process already, which syncs by itself.`, { exit: 1 });

/** The disk did not let the state be read or written. */
const failedSync = (code = 'E_RESIDENT'): Failure =>
  new Failure(code, 'The trust state in CUEBOOK_HOME could not be read or written.', { exit: 3 });

async function failureSince({ store }: Journal, run: RunId, after: number): Promise<string | undefined> {
  const events = await store.read(run, { after });
  const failed = events.findLast(({ type }) => type === 'resident.failed');
  return (failed?.data as { readonly code?: string } | undefined)?.code;
}

/** What an agent acts on, in a few lines. */
export function factsText(agent: string, facts: TrustFacts, style: Style): string {
  const refused = facts.failures.map(
    ({ source, code, reason, object }) =>
      `${style.yellow('!')} ${source === 'state' ? 'the saved state' : 'an update'} was refused: ${code} ${reason}${object === undefined ? '' : ` (${object})`}\n`,
  );
  const entry = facts.entry === undefined ? undefined : ENTRIES[facts.entry];
  const outside = entry === undefined ? '' : `${style.yellow('!')} ${agent} ${entry(agent)}\n`;
  if (!facts.active) {
    return `${outside}${outside === '' ? refused.join('') : ''}${style.red('✗')} ${agent} is inactive: it has never had a valid bundle. It says nothing until it has one.\n`;
  }
  const versions = `card ${facts.cardVersion}, bundle ${facts.bundleVersion}`;
  const what = facts.changed ? 'took' : facts.failures.length > 0 ? 'keeps' : 'has nothing new;';
  const stale =
    facts.staleSince === null
      ? ''
      : `${style.yellow('!')} nothing fresh since ${new Date(facts.staleSince).toISOString()}\n`;
  const trials = Object.entries(facts.cohorts).map(([scenario, arm]) => `  ${scenario}: ${arm}\n`);
  return `${outside}${refused.join('')}${stale}${style.green('✓')} ${agent} ${what} ${versions}\n${style.dim(trials.join(''))}`;
}

/** What is to be done about a platform that has not let the agent in. */
const ENTRIES: Readonly<Record<NonNullable<TrustFacts['entry']>, ((agent: string) => string) | undefined>> = {
  admitted: undefined,
  waiting: (agent) =>
    `is not admitted yet. It has asked, and asks again by itself; its owner lets it in with ${hint`platform admit ${agent}`}. Its published card must carry the key that ${hint`agent key`} prints.`,
  unknown: (agent) =>
    `is not known to its platform. Its card is handed in there with ${hint`card submit ${agent}`}, approved and published.`,
  unreachable: () =>
    `cannot reach its platform: nothing answers at the address in agent.yaml. ${hint`up`} starts the platform’s server.`,
};
