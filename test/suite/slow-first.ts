import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One that is begun late keeps the run waiting while other processors have nothing to do. */
export const SLOW_FILES: readonly string[] = [
  'test/docs.test.ts',
  'apps/cli/src/team/session/start.test.ts',
  'apps/cli/src/built.test.ts',
  'packages/journal/src/store/kill.test.ts',
  'apps/cli/src/prompt-test/test-command.test.ts',
  'apps/cli/src/run/hosted-kill.test.ts',
  'apps/server/test/gates.test.ts',
  'apps/cli/src/day/day.test.ts',
  'packages/provider/src/acp/acp.test.ts',
  'apps/cli/src/approvals/thread.test.ts',
  'packages/workflow/src/run/steps-done.test.ts',
  'apps/web/test/web.test.ts',
  'packages/engine/test/workers.test.ts',
  'packages/team/src/host/render.test.ts',
  'packages/workspace/src/apply/apply.test.ts',
  'packages/define/src/live/lifetime.test.ts',
  'packages/prompt/src/redact/linear.test.ts',
  'packages/team/src/host/agent-words.test.ts',
  'packages/thread/test/kind.test.ts',
  'apps/server/test/events.test.ts',
  'packages/team/src/host/real-cli.test.ts',
  'packages/workspace/src/apply/tidy.test.ts',
  'apps/cli/src/commands/check-all.test.ts',
  'apps/cli/src/commands/platform.test.ts',
  'packages/define/src/load/project.test.ts',
  'packages/thread/test/cases/hooks.test.ts',
  'packages/template/test/differential.test.ts',
  'apps/cli/src/run/agent/live.test.ts',
  'packages/thread/test/cases/agents.test.ts',
  'packages/team/src/host/review.test.ts',
  'apps/cli/src/team/team.test.ts',
  'packages/provider/test/capabilities.test.ts',
  'apps/cli/src/run/agent/run.test.ts',
  'packages/workspace/src/hostile.test.ts',
  'packages/thread/test/cases/subprompt.test.ts',
  'apps/server/test/tool-calls.test.ts',
  'packages/team/test/kill.test.ts',
  'packages/prompt/src/compose.test.ts',
  'packages/thread/test/cases/context.test.ts',
  'apps/cli/src/day/model-day.test.ts',
  'packages/workspace/src/kill.test.ts',
  'apps/cli/src/mcp/mcp.test.ts',
  'packages/team/src/host/cli.test.ts',
  'packages/team/src/host/folder.test.ts',
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
