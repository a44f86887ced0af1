import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One that is begun late keeps the run waiting while other processors have nothing to do. */
export const SLOW_FILES: readonly string[] = [
  'apps/server/test/updates-kill.test.ts',
  'apps/server/test/updates-machines.test.ts',
  'apps/server/test/older-layouts.test.ts',
  'apps/cli/src/run/same-kinds.test.ts',
  'apps/cli/src/git/blame-history.test.ts',
  'apps/server/test/doors.test.ts',
  'apps/cli/src/record/doors.test.ts',
  'packages/team/test/unseen-calls.test.ts',
  'packages/resident/src/life/bounds.test.ts',
  'apps/cli/src/lsp/ending.test.ts',
  'packages/prompt/src/diff/obligation/language.test.ts',
  'packages/adopt/src/template/sections.test.ts',
  'packages/adopt/src/template/template.test.ts',
  'packages/define/src/profile.test.ts',
  'apps/cli/src/loaded.test.ts',
  'packages/prompt/src/shell/linear.test.ts',
  'apps/cli/src/run/hosted-kill.test.ts',
  'apps/cli/src/team/session/start.test.ts',
  'test/docs.test.ts',
  'apps/cli/src/run/many-kill.test.ts',
  'apps/server/test/many.test.ts',
  'packages/team/test/kill.test.ts',
  'packages/template/test/differential.test.ts',
  'packages/journal/src/postgres/postgres.test.ts',
  'apps/cli/src/built.test.ts',
  'apps/web/test/injection.test.ts',
  'apps/cli/src/prompt-test/test-command.test.ts',
  'test/first-value.test.ts',
  'packages/bundle/src/objects/s3.test.ts',
  'packages/workspace/src/remote/remote.test.ts',
  'packages/workspace/src/kill.test.ts',
  'apps/cli/src/team/team.test.ts',
  'apps/cli/src/commands/check-all.test.ts',
  'apps/cli/src/commands/platform.test.ts',
  'packages/team/src/host/real-cli.test.ts',
  'apps/server/test/tool-calls.test.ts',
  'apps/cli/src/day/day.test.ts',
  'packages/provider/src/acp/acp.test.ts',
  'apps/server/test/events.test.ts',
  'packages/template/test/fuzz.test.ts',
  'packages/define/src/live/lifetime.test.ts',
  'apps/web/test/web.test.ts',
  'packages/adopt/src/readers/instruction.test.ts',
  'apps/server/test/workers.test.ts',
  'packages/define/src/load/project.test.ts',
  'apps/cli/src/commands/platform-keys.test.ts',
  'packages/workspace/src/apply/apply.test.ts',
  'apps/cli/src/acp/acp.test.ts',
  'packages/provider/test/closed-pipes.test.ts',
  'apps/server/test/execution.test.ts',
  'packages/workspace/src/change/take.test.ts',
  'packages/workflow/src/run/steps-done.test.ts',
  'apps/server/test/platform.test.ts',
  'packages/journal/src/sqlite/sqlite.test.ts',
  'apps/cli/src/approvals/thread.test.ts',
  'apps/cli/src/run/agent/run.test.ts',
  'packages/journal/src/turn/key/rotate.test.ts',
  'apps/cli/src/eval/chain.test.ts',
  'packages/engine/test/outage.test.ts',
  'apps/cli/src/commands/diff.test.ts',
  'packages/team/test/lost-machine.test.ts',
  'apps/cli/src/wire/census.test.ts',
  'apps/cli/src/eval/failing-takes.test.ts',
  'packages/bundle/src/trust/keep.test.ts',
  'apps/cli/src/run/same.test.ts',
  'apps/cli/src/run/hosted.test.ts',
  'apps/web/test/library-platform.test.ts',
  'test/action.test.ts',
  'apps/server/test/graph.test.ts',
  'packages/platform/src/experiment/peeking.test.ts',
  'packages/workspace/src/hostile.test.ts',
  'packages/process/src/run-program.test.ts',
  'packages/prompt/src/compose.test.ts',
  'apps/cli/src/approvals/elsewhere.test.ts',
  'packages/prompt/src/redact/linear.test.ts',
  'packages/workflow/src/compose/leaks.test.ts',
  'packages/engine/test/workers.test.ts',
  'apps/cli/src/approvals/kinds.test.ts',
  'packages/define/src/check/check-project.test.ts',
  'apps/cli/src/eval/compare.test.ts',
  'apps/cli/src/run/agent/live.test.ts',
  'apps/cli/src/lsp/features.test.ts',
];

/**
 * Files that share a process first, then those with one of their own: a process ends when the next file in the queue
 * cannot share it. In each part slow files first, the longest at the head; all others in the order that vitest gives
 * them.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const sorted = slowFirst(await super.sort(files), ({ moduleId }) => relative(root, moduleId));
    const isShared = ({ project }: TestSpecification) => project.config.isolate === false;
    return [...sorted.filter(isShared), ...sorted.filter((file) => !isShared(file))];
  }
}

export function slowFirst<File>(files: readonly File[], nameOf: (file: File) => string): File[] {
  const rankOf = (file: File): number => {
    const rank = SLOW_FILES.indexOf(nameOf(file));
    return rank === -1 ? SLOW_FILES.length : rank;
  };
  return [...files].sort((one, other) => rankOf(one) - rankOf(other));
}
