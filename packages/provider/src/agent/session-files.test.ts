import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CODEX_KEY,
  claudeEnvironment,
  codexEnvironment,
  codexSettings,
  geminiEnvironment,
  writeGeminiSettings,
} from '../../../../test/model-server/agents.js';
import { describePart } from '../../../../test/part.js';
import { describeInSoak, runs } from '../../../../test/runs.js';
import { type AgentDesk, openDesk, systemAndUser } from '../../test/agent-desk.js';
import { play, redactor, requestOf } from '../../test/play.js';
import { createClaudeProvider } from '../claude/provider.js';
import { createCodexProvider } from '../codex/codex.js';
import { createGeminiProvider } from '../gemini/gemini.js';
import type { Provider } from '../turn.js';
import {
  claudeSessions,
  codexSessions,
  geminiSessions,
  ownSessions,
  type SessionFiles,
} from './session-files.js';

const ID = '0193f0a2-1111-7222-8333-444455556666';
const OTHER = '0193f0a3-9999-7222-8333-444455556666';
const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

function home(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'session-files-')));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const AGENTS: readonly (readonly [
  name: string,
  open: (home: string) => SessionFiles,
  file: (id: string) => string,
  there: (id: string, cwd: string) => string,
])[] = [
  [
    'Claude Code',
    (HOME) => claudeSessions({ HOME }),
    (id) => `.claude/projects/-a-b/${id}.jsonl`,
    (id) => `.claude/projects/-x-y-z/${id}.jsonl`,
  ],
  [
    'Codex',
    (HOME) => codexSessions({ HOME }),
    (id) => `.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`,
    (id) => `.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`,
  ],
  [
    'Gemini CLI',
    (HOME) => geminiSessions({ HOME }),
    (id) => `.gemini/tmp/b/chats/session-2026-01-02T03-04-${id.slice(0, 8)}.json`,
    (id) => `.gemini/tmp/cuebook-${id.slice(0, 8)}/chats/session-2026-01-02T03-04-${id.slice(0, 8)}.json`,
  ],
  ['a program', (HOME) => ownSessions(HOME), (id) => `deep/${id}/x.txt`, (id) => `deep/${id}/x.txt`],
];

describe.each(AGENTS)('sessions of %s', (_name, open, file, there) => {
  it('are taken by their id alone, and put where the agent looks for them in another folder', async () => {
    const from = home({ [file(ID)]: 'the session', [file(OTHER)]: 'another' });
    const to = home();
    const files = await open(from).take({ id: ID, cwd: '/a/b' });
    expect(files?.map(({ text }) => text)).toEqual(['the session']);
    expect(await open(to).put({ id: ID, cwd: '/x/y.z' }, files ?? [])).toBe(true);
    expect(readFileSync(join(to, there(ID, '/x/y.z')), 'utf8')).toBe('the session');
    // Again, after another turn.
    const more = (files ?? []).map((each) => ({ ...each, text: 'the session goes on' }));
    expect(await open(to).put({ id: ID, cwd: '/x/y.z' }, more)).toBe(true);
    expect((await open(to).take({ id: ID, cwd: '/x/y.z' }))?.map(({ text }) => text)).toEqual([
      'the session goes on',
    ]);
  });

  it('lead nowhere else, whatever the id and the paths are', async () => {
    const top = home();
    const at = join(top, 'in');
    mkdirSync(at);
    const ids = fc.oneof(fc.string(), fc.constantFrom('..', '../../x', 'a/b', '', '.*', ID));
    const paths = fc.oneof(
      fc.string(),
      fc.constantFrom('../out', '/etc/x', `../${ID}.jsonl`, `projects/../../${ID}.jsonl`),
    );
    await fc.assert(
      fc.asyncProperty(ids, paths, async (id, path) => {
        await open(at).put({ id, cwd: '/x' }, [{ path, text: 'x' }]);
        expect(await open(at).take({ id: `${id}/..`, cwd: '/x' })).toBeUndefined();
      }),
      runs(50, 500),
    );
    for (const path of ['out', `${ID}.jsonl`]) expect(existsSync(join(top, path))).toBe(false);
  });
});

it('of Gemini CLI go into the folder that it has for that folder already', async () => {
  const to = home({ '.gemini/tmp/work/.project_root': '/x/y.z\n' });
  const files = [{ path: `tmp/b/chats/session-2026-01-02T03-04-${ID.slice(0, 8)}.json`, text: 'x' }];
  expect(await geminiSessions({ HOME: to }).put({ id: ID, cwd: '/x/y.z' }, files)).toBe(true);
  expect(existsSync(join(to, '.gemini/tmp/work/chats'))).toBe(true);
});

const REAL: readonly (readonly [
  part: 'claude' | 'codex' | 'gemini',
  open: (at: { readonly path: string; readonly home: string; readonly url: string }) => Provider,
])[] = [
  [
    'claude',
    ({ path, home, url }) =>
      createClaudeProvider({
        command: path,
        env: { PATH: process.env.PATH, HOME: home },
        set: claudeEnvironment(url),
      }),
  ],
  [
    'codex',
    ({ path, home, url }) =>
      createCodexProvider({
        command: path,
        environment: { PATH: process.env.PATH, HOME: home, ...codexEnvironment },
        allow: [CODEX_KEY],
        config: codexSettings(url),
      }),
  ],
  [
    'gemini',
    ({ path, home, url }) => {
      writeGeminiSettings(home);
      return createGeminiProvider({
        command: path,
        environment: { PATH: process.env.PATH, HOME: home, ...geminiEnvironment(url) },
        trust: true,
      });
    },
  ],
];

describeInSoak('with the agents themselves', () => {
  for (const [part, open] of REAL)
    describePart(part, `a session of ${part} on another machine`, ({ path }) => {
      let desk: AgentDesk;
      beforeAll(async () => {
        desk = await openDesk(part);
      });
      afterAll(() => desk.close());

      it('goes on with what was said on the first', async () => {
        desk.server.script('carried', [{ text: 'ONE FROM THE MODEL.' }, { text: 'Two.' }]);
        const machine = (name: string) => {
          const [own, cwd] = [join(desk.home, name), join(desk.cwd, name)];
          for (const folder of [own, cwd]) mkdirSync(folder, { recursive: true });
          return { cwd, provider: open({ path, home: own, url: desk.server.laneUrl('carried') }) };
        };
        const options = {
          redactor,
          access: 'edit',
          ...(part === 'gemini' && { model: 'gemini-2.5-flash' }),
        } as const;
        const [first, second] = [machine('first'), machine('second')];
        const before = first.provider.open({ ...options, cwd: first.cwd });
        const one = await play(before, { request: systemAndUser('Rules.', 'remember the otter') });
        expect(one.end.reason).toBe('done');
        await before.close();
        const id = one.sessionId ?? '';
        const files = await first.provider.sessionFiles?.take({ id, cwd: first.cwd });
        expect(files?.map(({ text }) => text).join()).toContain('ONE FROM THE MODEL.');
        expect(await second.provider.sessionFiles?.put({ id, cwd: second.cwd }, files ?? [])).toBe(true);
        const after = second.provider.open({ ...options, cwd: second.cwd, resume: id });
        const two = await play(after, {
          request: systemAndUser('Rules.', 'all of it'),
          delta: requestOf('go on'),
        });
        await after.close();
        expect([two.end.reason, two.text, two.sessionId]).toEqual(['done', 'Two.', id]);
        const asked = desk.server.lane('carried').requests.filter(({ side }) => !side);
        expect(asked.at(-1)?.text).toMatch(/remember the otter[\s\S]*ONE FROM THE MODEL\.[\s\S]*go on/);
      });
    });
});
