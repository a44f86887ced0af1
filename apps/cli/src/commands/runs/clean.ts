import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { screenText } from '../../output/style.js';
import { withServer } from '../../team/connect.js';
import { namedWork } from '../../team/named-work.js';
import { nameOf, requireAnswer } from '../../team/require.js';
import { sizeText } from '../../team/text/size-text.js';

/** `cuebook runs clean RUN[/NODE]`: removes workspaces whose work is in the folder; others only with `--discard`. */
export const run: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  if (args[0] === undefined) throw usage(`Name a run: ${hint`runs clean RUN`}, or RUN/NODE`);
  return withServer(
    call,
    async ({ client }) => {
      const { run: id, node, view, place } = await namedWork(client, args[0]);
      const discard = isOn(flags, 'discard');
      const named = node === undefined ? {} : { node };
      const cleaned = requireAnswer(await client.cleanWork({ run: id, discard, ...named }));
      if (isOn(flags, 'json')) await printJson(io, { run: id, ...cleaned });
      else {
        const { removed, kept, bytes, left } = cleaned;
        if (place !== '') await io.out(`${screenText(place, io.terminal.out)}\n`);
        const names = (ids: readonly string[]) =>
          screenText(ids.map((each) => nameOf(view, each)).join(', '), io.terminal.out);
        if (removed.length > 0) await io.out(`Removed ${names(removed)}: ${sizeText(bytes)} freed\n`);
        if (kept.length > 0) await io.out(`Kept ${names(kept)}: the work is not in your folder\n`);
        if (removed.length + kept.length === 0) await io.out('There is nothing to remove.\n');
        if (left !== undefined) await io.out(`Contents that nobody needs are still there: ${left}\n`);
      }
      return cleaned.kept.length > 0 ? 1 : 0;
    },
    { idle: true },
  );
};
