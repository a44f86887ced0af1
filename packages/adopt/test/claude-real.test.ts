import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { claudeEnvironment } from '../../../test/model-server/agents.js';
import { type ModelServer, startModelServer } from '../../../test/model-server/index.js';
import { describePart } from '../../../test/part.js';
import { itInSoak as it, runs } from '../../../test/runs.js';
import { claudeReader } from '../src/readers/claude.js';
import { ARGUMENT_NAMES, claudeSends, commandBodies, TYPED } from './commands.js';
import { adopt } from './render.js';

// What Claude Code itself sends for a command, asked with a model server that answers `ok`.

const HEAD = `---\ndescription: d\narguments: [${ARGUMENT_NAMES.join(', ')}]\nallowed-tools: Bash(echo:*)\n---\n`;

describePart('claude', 'Claude Code itself', ({ path: claude }) => {
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-claude-'));
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.close();
  });

  /** The text of the first message that holds the body of a command; undefined when the tool refused to send it. */
  async function sent(body: string, lane: string): Promise<string | undefined> {
    const project = join(folder, lane);
    mkdirSync(join(project, '.claude', 'commands'), { recursive: true });
    mkdirSync(join(project, 'home'));
    writeFileSync(join(project, '.claude', 'commands', 't.md'), `${HEAD}${body}`);
    server.script(lane, [{ text: 'ok' }]);
    const env = {
      PATH: process.env.PATH,
      HOME: join(project, 'home'),
      ...claudeEnvironment(server.laneUrl(lane)),
      DISABLE_AUTOUPDATER: '1',
    };
    const child = spawn(claude, ['-p', `/t ${TYPED.line}`], { cwd: project, env, stdio: 'ignore' });
    await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
    const texts = server.lane(lane).requests.flatMap(({ body: request }) => textsOf(request));
    return texts.find((text) => text.includes('«0»'));
  }

  it.each(['core', 'near'] as const)('sends what a sheet sends: %s', async (kind) => {
    const bodies = fc.sample(commandBodies[kind], runs(40, 400));
    const body = bodies.map((each, index) => `«${index}»${each}«/${index}»\n`).join('');
    const all = await sent(body, kind);
    for (const [index, each] of bodies.entries()) {
      const theirs = all?.split(`«${index}»`)[1]?.split(`«/${index}»`)[0];
      expect(theirs, each).toBe(claudeSends(each, ARGUMENT_NAMES, TYPED));
    }
  });

  it('runs no shell command in what is not refused', async () => {
    for (const [index, body] of fc.sample(commandBodies.shell, runs(40, 40)).entries()) {
      const adopted = adopt(claudeReader, '.claude/commands/t.md', `${HEAD}${body}`, { firstArgument: 0 });
      if (adopted.sheets.length === 0) continue;
      const theirs = await sent(`«0»${body}«/0»\n`, `shell-${index}`);
      expect(theirs, body).toContain(`«0»${claudeSends(body, ARGUMENT_NAMES, TYPED)}«/0»`);
    }
  });
});

function textsOf(request: unknown): readonly string[] {
  const { messages = [] } = request as {
    readonly messages?: readonly { readonly content: string | readonly { readonly text?: string }[] }[];
  };
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.flatMap(({ text }) => (text === undefined ? [] : [text])),
  );
}
