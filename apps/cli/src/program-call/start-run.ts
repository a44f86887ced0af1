import { randomUUID } from 'node:crypto';
import type { RunReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { findProject } from '../project/find.js';
import { type Away, eachText } from '../redact/told-json.js';
import { type RunDocument, runDocument } from '../run/document.js';
import { spokenOf } from '../run/note.js';
import { watchHosted } from '../run/server-door.js';
import { withServer } from '../team/connect.js';
import { requireAnswer } from '../team/require.js';
import { quietIo } from './quiet-io.js';
import type { StartOptions } from './start.js';
import { toldCall } from './told-call.js';

/** See `start`. */
export const startRun = (target: string, call: StartOptions): Promise<RunDocument> =>
  toldCall(async (away) => eachText(await runOf(target, call, away), away));

async function runOf(target: string, call: StartOptions, away: Away): Promise<RunDocument> {
  const { env = process.env, project, provider, model, script, input, options, onText, signal } = call;
  const folder = await findProject(process.cwd(), project);
  const io = quietIo({ cwd: folder, env, signal });
  const flags = {
    project: folder,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
  const tree = { commands: [], help: async () => undefined };
  return withServer({ args: [target], flags, io, tree }, async ({ client, isOwn }) => {
    const { run } = requireAnswer(
      await client.startRun({
        target,
        id: `cmd_${randomUUID()}`,
        ...(await spokenOf({ flags, io })),
        ...(input === undefined ? {} : { input }),
        ...(options === undefined ? {} : { options: options as never }),
        ...(script === undefined ? {} : { script }),
      }),
    );
    await watchHosted(client, {
      ...{ run: run as RunId, after: 0, io, isOwn },
      show: ({ event }) => {
        if (event.type === 'text.delta') onText?.(away(event.text));
      },
    });
    return runDocument(requireAnswer(await client.getReport({ run })) as RunReport, io);
  });
}
