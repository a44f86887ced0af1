import { HOST_ROUTES } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';
import { fail, ok } from '@cuebook/prompt';
import { findCommit } from '@cuebook/workspace/history';
import { fromHost } from '../http/error.js';
import { routeGroup } from '../http/group.js';
import { createRunMask } from '../stream/run-mask.js';
import type { TeamParts } from './parts.js';
import { done, tell } from './submit.js';

/** What can be asked of runs of every kind. Confidential words are masked. */
export function hostRoutes(parts: Pick<TeamParts, 'runs' | 'store' | 'git'>) {
  const { runs, store, git } = parts;
  const masked = async <Value>(run: string, value: Value): Promise<Value> =>
    (await createRunMask(store, run as RunId)).value(value);
  return routeGroup(HOST_ROUTES, {
    getReport: async ({ params: { run } }) => {
      const report = await runs.report(run as RunId);
      return report.ok ? ok(await masked(run, report.value)) : fail(fromHost(report.error));
    },
    listWaiting: async ({ query: { run } }) => {
      const found = await runs.waiting(run === undefined ? {} : { run: run as RunId });
      const waiting = await Promise.all(found.map((wait) => masked(wait.run, wait)));
      return ok({ waiting });
    },
    answerWait: async ({ body: { run, wait, reply } }, { by, command }) => {
      const answered = await runs.answer({ run, id: wait }, reply as never, { id: command, by: by.name });
      return answered.ok ? ok({ done: true }) : fail(fromHost(answered.error));
    },
    say: ({ params: { run }, body: { text, lane, attachments } }, context) =>
      done(
        tell(
          parts,
          run,
          { type: 'say', text, ...(lane && { lane }), ...(attachments && { attachments }) },
          context,
        ),
      ),
    updateRun: async ({ params: { run }, body: { to } }, { by, command }) => {
      const commit = to === undefined ? undefined : await findCommit(git, to);
      if (commit?.ok === false)
        return fail({ status: 400, code: commit.error.code, message: commit.error.message });
      const version = commit === undefined ? 'folder' : { commit: commit.value };
      const updated = await runs.update(run as RunId, version, { id: command, by: by.name });
      return updated.ok ? ok(updated.value as never) : fail(fromHost(updated.error));
    },
    interrupt: ({ params: { run }, body: { lane } }, context) =>
      done(tell(parts, run, { type: 'interrupt', ...(lane && { lane }) }, context)),
  });
}
