import {
  compareVersions,
  findLibrary,
  listAgents,
  type TemplateLibrary,
  type TemplateRecord,
  type VersionDiff,
} from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import type { Io } from '../../io.js';
import { requireVersion } from '../../library/named-version.js';
import { diffText } from '../../output/diff-text.js';
import { printJson } from '../../output/json.js';
import { count, styleFor } from '../../output/style.js';
import { withPlatform } from '../../platform/open.js';

/**
 * `cuebook library diff A B`: by obligation and by reach. With one name what is assigned and its newest version; with
 * none every version that is not signed yet. Exit code 1 when anything differs.
 */
export const diff: CommandHandler = async ({ args, flags, io }) => {
  if (args.length > 2) throw usage(`Name two versions: ${hint`library diff greeting@1 greeting@2`}`);
  return withPlatform(flags, io, async (platform) => {
    const library = await findLibrary(platform);
    const records = await listAgents(platform);
    const diffs = pairsOf(library, args).map(([before, after]) =>
      compareVersions(before.scenario, after.scenario, records),
    );
    if (isOn(flags, 'json')) await printJson(io, { diffs });
    else if (diffs.length === 0) await io.out('Nothing waits to be signed\n');
    else for (const each of diffs) await io.out(versionDiffText(each, io));
    return diffs.every((each) => each.diff.same) ? 0 : 1;
  });
};

type Pair = readonly [TemplateRecord, TemplateRecord];

function pairsOf(library: TemplateLibrary, args: readonly string[]): readonly Pair[] {
  const [first, second] = args;
  if (first !== undefined && second !== undefined)
    return [[requireVersion(library, first), requireVersion(library, second)]];
  if (first !== undefined)
    return [againstAssigned(library, newestOf(library, requireVersion(library, first)))];
  return library.record.templates
    .filter(({ status }) => status === 'waiting' || status === 'approved')
    .map((template) => againstAssigned(library, template));
}

/** A new scenario is compared with itself: all of it is new, and nobody has it. */
export function againstAssigned(library: TemplateLibrary, after: TemplateRecord): Pair {
  const { active, record } = library;
  const assigned = active.find(({ id }) => id === after.scenario.id);
  return [record.templates.find(({ scenario }) => scenario === assigned) ?? after, after];
}

function newestOf({ record }: TemplateLibrary, { scenario }: TemplateRecord): TemplateRecord {
  const own = record.templates.filter((each) => each.scenario.id === scenario.id);
  return own.reduce((best, each) => (each.scenario.version > best.scenario.version ? each : best));
}

/** For people: what changes in what is told, then whom it reaches. */
export function versionDiffText({ before, after, diff: found, reach }: VersionDiff, io: Io): string {
  const style = styleFor(io, 'out');
  const text = diffText({ ...found, before, after, reach: [] }, { style, isTerminal: io.terminal.out });
  const onTrial = Object.entries(reach.onTrial).map(([agent, arm]) => `  ${agent} is on trial: ${arm}\n`);
  const some = reach.agents.slice(0, 20).join(', ');
  const more = reach.agents.length > 20 ? ', …' : '';
  return `${text}\n${style.bold('By reach')}\nscenario ${reach.scenario}: ${count(reach.agents.length, 'agent')} would get other words${some === '' ? '' : `: ${some}${more}`}\n${onTrial.slice(0, 20).join('')}`;
}
