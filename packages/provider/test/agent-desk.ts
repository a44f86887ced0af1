import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeRequest, type GatedRequest, type OfferedTool } from '@cuebook/prompt';
import { type ModelServer, startModelServer } from '../../../test/model-server/index.js';
import { redactor } from './play.js';

/** A throw-away home and folder for one CLI agent, and a model server that plays its model. */
export interface AgentDesk {
  readonly server: ModelServer;
  readonly home: string;
  readonly cwd: string;
  /** What the agent has left in its folder. */
  files(): readonly string[];
  close(): Promise<void>;
}

export async function openDesk(name: string): Promise<AgentDesk> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `cuebook-${name}-`)));
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  const server = await startModelServer();
  return {
    ...{ server, home, cwd },
    files: () => (existsSync(cwd) ? readdirSync(cwd).sort() : []),
    async close() {
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** A request of a system block and a user block, one after the other. */
export function systemAndUser(
  system: string,
  user: string,
  tools: readonly OfferedTool[] = [],
): GatedRequest {
  const block = (role: 'system' | 'user', text: string) => ({
    ...{ name: role, role },
    pieces: [
      {
        text,
        origin: { kind: 'file', ref: `${role}.md`, line: 1, column: 1 },
        trust: 'author',
        secrecy: 'public',
        volatility: 'turn',
      } as const,
    ],
  });
  const composed = composeRequest({
    blocks: [block('system', system), block('user', user)],
    ...{ tools, redactor },
    hash: (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}
