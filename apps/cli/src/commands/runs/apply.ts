import type { AppliedView } from '@cuebook/api';
import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { count, type Style, screenText, styleFor } from '../../output/style.js';
import { withServer } from '../../team/connect.js';
import { namedWork } from '../../team/named-work.js';
import { nameOf, requireAnswer } from '../../team/require.js';
import { screenValue } from '../../team/text/screen-value.js';

/** `cuebook runs apply RUN[/NODE]`: work comes into the person's folder, all of it or nothing. */
export const run: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  if (args[0] === undefined) throw usage(`Name a run: ${hint`runs apply RUN`}, or RUN/NODE`);
  const dryRun = isOn(flags, 'dry-run');
  const commit = flagValue(flags, 'commit');
  return withServer(
    call,
    async ({ client }) => {
      const { run: id, node, view, place } = await namedWork(client, args[0]);
      const applied = requireAnswer(
        await client.applyWork({
          ...{ run: id, dryRun },
          ...(node === undefined ? {} : { node }),
          ...(commit === undefined ? {} : { commit }),
        }),
      );
      const names = (each: string) => nameOf(view, each);
      if (isOn(flags, 'json')) await printJson(io, { run: id, dryRun, ...applied });
      else {
        const text = appliedText(screenValue(applied, io), { dryRun, names }, styleFor(io, 'out'));
        await io.out(`${place === '' ? '' : `${screenText(place, io.terminal.out)}\n`}${text}`);
      }
      return applied.conflicts.length > 0 ? 1 : 0;
    },
    { idle: true },
  );
};

function appliedText(
  { files, conflicts, committed }: AppliedView,
  { dryRun, names }: { readonly dryRun: boolean; readonly names: (node: string) => string },
  style: Style,
): string {
  const lines = files.map(
    ({ path, change, node }) => `  ${change.padEnd(7)} ${path}  ${style.dim(names(node))}\n`,
  );
  const against = conflicts.map(
    ({ path, why, node }) => `  ${style.red(WHY[why])} ${path}  ${style.dim(names(node))}\n`,
  );
  if (conflicts.length > 0) {
    const files = count(conflicts.length, 'file');
    return `${against.join('')}${style.red('✗')} ${files} in the way, so nothing was changed\n`;
  }
  if (files.length === 0) return 'There is nothing to bring in: all of it is there.\n';
  const done = dryRun ? 'would be changed; nothing was' : 'changed in your folder, not committed';
  const said = committed === null ? done : `changed and committed as ${committed.slice(0, 10)}`;
  return `${lines.join('')}${style.green('✓')} ${count(files.length, 'file')} ${said}\n`;
}

const WHY = {
  'both-changed': 'changed by you, too  ',
  deleted: 'deleted on one side   ',
  'in-the-way': 'something is there    ',
} as const;
