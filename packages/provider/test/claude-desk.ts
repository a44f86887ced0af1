import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcesses } from '@cuebook/process';
import { afterAll, beforeAll } from 'vitest';
import { claudeEnvironment } from '../../../test/model-server/agents.js';
import type { ModelServer } from '../../../test/model-server/index.js';
import { createClaudeProvider } from '../src/claude/provider.js';
import type { Session, SessionOptions } from '../src/turn.js';
import { type AgentDesk, openDesk } from './agent-desk.js';
import { redactor } from './play.js';

/** The real Claude Code in a throw-away home, each provider with a lane of the model server to itself. */
export interface ClaudeDesk {
  readonly desk: AgentDesk;
  provider(set?: Readonly<Record<string, string>>): {
    readonly lane: string;
    open(more?: Partial<SessionOptions>): Session;
    script(...steps: Parameters<ModelServer['script']>[1]): void;
  };
  /** The turns' requests to the model, as text. */
  bodies(lane: string): readonly string[];
  /** What Claude Code itself has on record of a session; empty before it has anything. */
  transcript(sessionId: string): string;
}

/** Opens with the suite and closes after it. */
export function claudeDesk(command: string): ClaudeDesk {
  let desk: AgentDesk;
  let count = 0;
  beforeAll(async () => {
    desk = await openDesk('claude');
  });
  afterAll(() => desk.close());

  return {
    get desk() {
      return desk;
    },
    provider(set = {}) {
      count += 1;
      const lane = `lane-${count}`;
      const provider = createClaudeProvider({
        command,
        env: { PATH: process.env.PATH, HOME: desk.home, OPENAI_API_KEY: 'sk-of-another-provider-0000' },
        set: {
          ...claudeEnvironment(desk.server.laneUrl(lane)),
          ...set,
        },
      });
      return {
        lane,
        open: (more = {}) => provider.open({ redactor, cwd: desk.cwd, ...more }),
        script: (...steps) => desk.server.script(lane, steps),
      };
    },
    transcript(sessionId) {
      const folder = join(desk.home, '.claude', 'projects');
      const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
      const name = names.find((each) => each.endsWith(`${sessionId}.jsonl`));
      return name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    },
    bodies: (lane) =>
      desk.server
        .lane(lane)
        .requests.filter(({ side }) => !side)
        .map(({ text }) => text),
  };
}

export const write = (path: string) => ({
  ...{ id: 'toolu_write', name: 'Write' },
  args: { file_path: path, content: 'made\n' },
});

let commands = 0;
export const bash = (command: string) => {
  commands += 1;
  return { id: `toolu_bash_${commands}`, name: 'Bash', args: { command, description: 'runs' } };
};

/** The agents that this process has started and that still run: known by the mark that they carry. */
export async function children(): Promise<readonly number[]> {
  const rows = (await readProcesses('CUEBOOK_CHILD=')) ?? [];
  return rows
    .filter(({ parent, isZombie, isMarked }) => parent === process.pid && isMarked && !isZombie)
    .map(({ pid }) => pid);
}
