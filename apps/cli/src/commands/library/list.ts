import { findLibrary, listAgents, type VersionView, viewVersions } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { told } from '../../hint/typed.js';
import { requireVersion } from '../../library/named-version.js';
import { printJson } from '../../output/json.js';
import { count, screenText, styleFor } from '../../output/style.js';
import { oneArgument } from '../../platform/action.js';
import { withPlatform } from '../../platform/open.js';
import { timeText } from '../../record/event-text.js';

/** `cuebook library`: every version, what is assigned, and who has it. */
export const list: CommandHandler = async ({ flags, io }) =>
  withPlatform(flags, io, async (platform) => {
    const library = await findLibrary(platform);
    const versions = viewVersions(library, await listAgents(platform));
    const open = versions.filter(isOpen);
    const signed = { version: library.metadata.version, size: library.library.length };
    if (isOn(flags, 'json')) await printJson(io, { signed, versions });
    else {
      for (const version of versions) await io.out(`${lineOf(version)}\n`);
      const next = open.some(({ status }) => status === 'waiting')
        ? hint`library review`
        : hint`library request`;
      await io.out(
        told(
          io,
          `List ${signed.version}: ${count(signed.size, 'version')} signed, ${open.length} not signed yet${open.length === 0 ? '' : `. Go on with: ${next}`}\n`,
        ),
      );
    }
    return 0;
  });

/** `cuebook library show NAME[@VERSION]`: one version in full. */
export const show: CommandHandler = async (call) => {
  const { flags, io } = call;
  const named = oneArgument(call, `the version: ${hint`library show greeting@1`}`);
  return withPlatform(flags, io, async (platform) => {
    const library = await findLibrary(platform);
    const { scenario, cases } = requireVersion(library, named);
    const all = viewVersions(library, await listAgents(platform)).filter(({ id }) => id === scenario.id);
    const version = all.find((each) => each.version === scenario.version) as VersionView;
    if (isOn(flags, 'json')) {
      const { placeholders } = scenario;
      await printJson(io, {
        ...version,
        placeholders,
        cases: cases ?? null,
        versions: all.map((each) => each.version),
      });
      return 0;
    }
    const style = styleFor(io, 'out');
    const shown = (text: string) => screenText(text, io.terminal.out);
    await io.out(`${style.bold(lineOf(version))}\n${shown(version.summary)}\n`);
    await io.out(`${style.dim(`by ${shown(version.by)}, ${timeText(version.at)}`)}\n`);
    if (version.reason !== undefined) await io.out(`rejected: ${shown(version.reason)}\n`);
    for (const { name, kind, trust, required } of scenario.placeholders)
      await io.out(`  {${name}}  ${kind}, ${trust}${required ? '' : ', may be left out'}\n`);
    await io.out(`  answer: ${JSON.stringify(scenario.output)}\n\n${shown(scenario.template)}\n`);
    return 0;
  });
};

const isOpen = ({ status }: VersionView): boolean => status === 'waiting' || status === 'approved';

function lineOf({ id, version, status, retiring, active, agents, preset }: VersionView): string {
  const state = [status, ...(active ? ['assigned'] : []), ...(retiring ? ['retiring'] : [])].join(', ');
  const values = Object.entries(preset).map(([key, value]) => `${key} ${value}`);
  return `${`${id}@${version}`.padEnd(20)} ${state.padEnd(18)} ${count(agents.length, 'agent')}  ${values.join(', ')}`;
}
