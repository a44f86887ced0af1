import { hint } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { namedRun } from '../../record/named-run.js';
import { followHosted } from '../../run/server-door.js';
import { withServer } from '../../team/connect.js';
import { requireAnswer } from '../../team/require.js';

/** `cuebook runs stop RUN`: ends what a run has under way, wherever in the project it is worked on. */
export const run: CommandHandler = async (call) => {
  const { flags, io, args } = call;
  const [name] = args;
  if (name === undefined) throw usage(`Name a run: ${hint`runs stop RUN`}`);
  const id = await namedRun(call, name);
  return withServer(
    call,
    async ({ client }) => {
      const before = requireAnswer(await client.getReport({ run: id }));
      if (!OVER.has(before.status)) {
        requireAnswer(await client.stopRun({ run: id }));
        await followHosted(client, id, { after: before.seq, signal: io.stop });
      }
      const { status, target, kind } = requireAnswer(await client.getReport({ run: id }));
      if (isOn(flags, 'json')) await printJson(io, { run: id, kind, target, status });
      else await io.out(`${styleFor(io, 'out').green('✓')} ${id} ${status}\n`);
      return 0;
    },
    { idle: true },
  );
};

/** Nothing of such a run is under way. */
const OVER: ReadonlySet<string> = new Set(['done', 'failed', 'stopped']);
