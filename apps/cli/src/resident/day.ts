import { resolve } from 'node:path';
import { type CardDraft, folderObjects, loadCards, type TrustAnchor } from '@cuebook/bundle';
import { type Files, openFolder } from '@cuebook/files';
import { anchorFileOf, createRecorder, createSigner } from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { commandLine, hint } from '@cuebook/prompt/hint';
import { createProvider, NO_CONFIG } from '@cuebook/provider';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { type Call, flagValue, isOn } from '../command.js';
import { liveDay } from '../day/day.js';
import type { DayNote } from '../day/notes.js';
import type { DayReport } from '../day/report.js';
import { SAMPLE_CARDS, sampleHappenings } from '../day/sample.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { screenText, styleFor } from '../output/style.js';
import { openBench } from '../project/bench.js';
import { machineContext, thisMachine } from '../project/machine.js';
import { requireFile } from '../project/named-file.js';
import { type Journal, type JournalPlace, keyFailure, withOpened } from '../record/journal.js';
import { readScriptOf } from '../run/voice.js';
import { lastMorning } from './last-morning.js';

/** A rehearsed day of three agents, in a new folder: their platform, their objects, their records. */
export async function rehearseDay(call: Call): Promise<number> {
  const { args, flags, io } = call;
  const named = args[1];
  if (named === undefined) throw usage(`Name a new folder for the day: ${hint`agent day DIR`}`);
  const folder = resolve(io.cwd, named);
  const cards = await cardsOf(call);
  const hours = hoursOf(flagValue(flags, 'hours'));
  const start = startOf(flagValue(flags, 'date'), hours ?? DAY_HOURS);
  const script = (await readScriptOf(call)) ?? SAMPLE_SCRIPT;
  const made = createProvider('rehearsal', { config: NO_CONFIG, env: io.env, script });
  if (!made.ok) throw new Failure(made.error.code, made.error.message);
  const files = requireFile(await openFolder(folder, { create: true }), named);
  await requireEmpty(files, named);
  const redactor = createRedactor(machineContext(thisMachine(io.env), folder));
  requireFile(await files.writeText('cuebook.yaml', `# A rehearsed day: see ${hint`runs`}.\n`), named);
  const home = resolve(folder, '.cuebook');
  const agents = fileIn(home);
  const at = resolve(folder, PLATFORM);
  const platform = fileIn(at);
  const live = async ({ store, home: keys }: Journal, { store: record }: Journal): Promise<number> => {
    const signer = await createSigner(keys);
    if (!signer.ok) throw keyFailure(signer.error);
    const report = await liveDay({
      objects: folderObjects(requireFile(await openFolder(resolve(at, 'store'), { create: true }), named)),
      store,
      platform: record,
      recorder: createRecorder({ store, signer: signer.value }),
      home: async (agent) =>
        requireFile(await openFolder(resolve(folder, agent, '.cuebook'), { create: true }), named),
      cards,
      voice: { provider: made.value, redactor },
      start,
      after: Date.now(),
      ...(hours !== undefined && { hours }),
      happenings: sampleHappenings(cards),
      note: (note) => tell(call, note),
      moved: (anchor) => furnish(folder, anchor, named),
    });
    if (!report.ok)
      throw new Failure(report.error.code, `The day ended early, at ${report.error.at}.`, { exit: 1 });
    if (isOn(flags, 'json')) await printJson(io, report.value);
    else await io.out(reportText(report.value, typed(io, commandLine`runs --project ${named}`)));
    return 0;
  };
  return withOpened(agents, (own) => withOpened(platform, (record) => live(own, record)));
}

/** The records of a folder of this town: in a file of its own, whatever the environment says. */
const fileIn = (home: string): JournalPlace => ({
  home,
  folder: home,
  place: { file: resolve(home, 'journal.db') },
  anchorFile: anchorFileOf(home, {}),
});

/** The folder of the platform: its record and its object store. No agent is called so. */
const PLATFORM = 'platform';

/** The cards of the project that is named, or three that come with Cuebook. */
async function cardsOf({ flags, io }: Call): Promise<readonly CardDraft[]> {
  if (flagValue(flags, 'project') === undefined) return SAMPLE_CARDS;
  const { files } = await openBench(flags, io);
  const cards = [...(await loadCards(files)).values()];
  const broken = cards.flatMap((card) => (card.ok ? [] : card.diagnostics));
  if (broken.length > 0) throw diagnosed(broken);
  if (cards.length < 2 || cards.length > MOST_AGENTS)
    throw usage(`A day takes 2 to ${MOST_AGENTS} cards in cards/; the project has ${cards.length}`);
  const drafts = cards.flatMap((card) => (card.ok ? [card.value.draft] : []));
  if (drafts.some(({ agent_id }) => agent_id === PLATFORM))
    throw usage('No agent of a day is called platform');
  return drafts;
}

const MOST_AGENTS = 12;

/** The agent's own folder, in which `cuebook sync` and `cuebook agent` go on. */
async function furnish(folder: string, { agent, root, log }: TrustAnchor, named: string): Promise<void> {
  const files = requireFile(await openFolder(resolve(folder, agent), { create: true }), named);
  const text = `agent: ${agent}\nstore: ../platform/store\nroot: root.json\nlog: ${log}\n`;
  requireFile(
    await files.writeText('cuebook.yaml', `# The folder of ${agent}: see agent.yaml.\nprovider: rehearsal\n`),
    named,
  );
  requireFile(await files.writeText('agent.yaml', text), named);
  requireFile(await files.writeBytes('root.json', root), named);
}

async function requireEmpty(files: Files, named: string): Promise<void> {
  const listed = requireFile(await files.list('.'), named);
  if (listed.entries.length > 0)
    throw new Failure('E_WOULD_OVERWRITE', `Nothing was done: ${named} is not empty. Name a new folder.`, {
      exit: 1,
    });
}

/**
 * Six in the morning, UTC, of the day that is named, or of the last one whose hours are over: its agents go on after it
 * by the clock of the machine, and trust none that goes back.
 */
function startOf(date: string | undefined, hours: number): number {
  if (date === undefined) return lastMorning(Date.now(), hours);
  const start = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T06:00:00Z`) : Number.NaN;
  if (Number.isNaN(start)) throw usage('--date takes a day such as 2026-11-15');
  return start;
}

const DAY_HOURS = 24;

function hoursOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hours = Number(text);
  if (!(hours >= 1 && hours <= 48)) throw usage('--hours takes a number from 1 to 48');
  return hours;
}

function tell({ flags, io }: Call, { at, agent, text }: DayNote): void {
  if (isOn(flags, 'json')) return;
  const style = styleFor(io, 'out');
  const time = new Date(at).toISOString().slice(11, 16);
  void io.out(`${style.dim(time)} ${style.bold(agent)} ${screenText(text, io.terminal.out)}\n`);
}

function reportText({ agents }: DayReport, line: string): string {
  const lines = agents.map(({ agent, deeds, corrected, refused, report }) => {
    const count = Object.values(deeds).reduce((sum, times) => sum + times, 0);
    return `${agent}: ${count} deeds, ${corrected} asked again, ${refused.length} refused. ${report ?? ''}\n`;
  });
  return `\n${lines.join('')}\n${line}   what each was told, byte for byte\n`;
}
