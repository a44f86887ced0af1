import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One that is begun late keeps the run waiting while other processors have nothing to do. */
export const SLOW_FILES: readonly string[] = [
  'test/docs.test.ts',
  'apps/cli/src/built.test.ts',
  'apps/cli/src/day/day.test.ts',
  'packages/team/test/kill.test.ts',
  'packages/workspace/src/apply/apply.test.ts',
  'packages/provider/test/capabilities.test.ts',
  'packages/workflow/test/kill.test.ts',
  'packages/thread/test/kill.test.ts',
  'packages/workspace/src/hostile.test.ts',
  'packages/workspace/src/kill.test.ts',
  'apps/cli/src/team/team.test.ts',
  'apps/cli/src/day/model-day.test.ts',
  'packages/prompt/src/redact/corpus.test.ts',
  'packages/bundle/src/objects/s3.test.ts',
  'apps/cli/src/prompt-test/test-command.test.ts',
  'packages/journal/src/store/kill.test.ts',
  'packages/provider/src/acp/acp.test.ts',
  'packages/define/src/live/lifetime.test.ts',
  'packages/provider/test/closed-pipes.test.ts',
  'packages/prompt/src/redact/linear.test.ts',
  'apps/server/test/execution.test.ts',
  'apps/cli/src/run/agent/live.test.ts',
  'packages/journal/src/postgres/postgres.test.ts',
  'packages/workspace/src/change/take.test.ts',
  'packages/thread/test/cases/agents.test.ts',
  'packages/provider/src/claude/hostile.test.ts',
  'packages/provider/src/line/line.test.ts',
  'packages/define/src/load/project.test.ts',
  'packages/engine/test/workers.test.ts',
];

/** Slow files first, the longest at the head; all others in the order that vitest gives them. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    return slowFirst(await super.sort(files), ({ moduleId }) => relative(root, moduleId));
  }
}

export function slowFirst<File>(files: readonly File[], nameOf: (file: File) => string): File[] {
  const rankOf = (file: File): number => {
    const rank = SLOW_FILES.indexOf(nameOf(file));
    return rank === -1 ? SLOW_FILES.length : rank;
  };
  return [...files].sort((one, other) => rankOf(one) - rankOf(other));
}
