import { hash as sha } from 'node:crypto';
import { memorySource } from '@cuebook/files';
import { composeTarget, findTargets, type Workbench } from '@cuebook/profile';
import { createRedactor, explain } from '@cuebook/prompt';
import { DEFAULT_PROVIDER } from '@cuebook/provider';
import { describe, expect, it } from 'vitest';
import { DEFAULT_NODE_PROVIDER } from '../file/nodes.js';
import { roleProfile } from './role-profile.js';
import { teamProfile } from './team-profile.js';

const TEAM = `goal: Ship the change.
done:
  - Tests pass.
globalMode: PLANNING
budget: { turns: 7 }
nodes:
  - { alias: lead, label: Lead, role: orchestrator, provider: claude }
  - { alias: dev, label: Developer, role: implementer, provider: line, override: Be brief. }
edges:
  - { from: lead, to: dev }
`;
const ROLE = `[template]
name = "implementer"
version = "2"
capabilities = []
constraints = []

Our own way.
`;
const FILES = { 'team.yaml': TEAM, 'docs/templates/implementer.md': ROLE };

const bench = (files: Readonly<Record<string, string>>): Workbench => {
  const project = memorySource(files);
  if (!project.ok) throw new Error(project.error.code);
  return {
    profiles: [roleProfile, teamProfile],
    project: project.value,
    hash: (text) => `sha256:${sha('sha256', text)}`,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  };
};
const render = async (target: string, input?: object, files: Readonly<Record<string, string>> = FILES) => {
  const result = await composeTarget(bench(files), target, input);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.value;
};
const problems = async (
  files: Readonly<Record<string, string>>,
  target = 'team:team.yaml',
  input?: object,
) => {
  const result = await composeTarget(bench(files), target, input);
  return (result.ok ? result.value.diagnostics : result.diagnostics).map(
    ({ code, file, line, message }) => [code, `${file ?? ''}:${line ?? ''}`, message] as const,
  );
};

describe('render', () => {
  it("shows a node's first prompt: the layers in their order, joined by a blank line", async () => {
    const { prompt } = await render('team:team.yaml', { node: 'DEV' });
    expect(prompt.blocks.map(({ name, role }) => [name, role])).toEqual([
      ['system', 'system'],
      ['role', 'system'],
      ['mode', 'system'],
      ['task', 'user'],
      ['override', 'user'],
    ]);
    expect(prompt.text).toBe(prompt.blocks.map(({ text }) => text).join('\n\n'));
    expect(prompt.blocks[1]?.text).toBe(ROLE.trimEnd());
  });

  it('without a node it shows the one that begins the run', async () => {
    const { prompt } = await render('team:team.yaml');
    expect(prompt.blocks[3]?.text).toContain('\n- alias: lead\n');
    expect(prompt.blocks[3]?.text).toContain('TASK_OBJECTIVE\n- done:\n  - Tests pass.\nShip the change.');
    expect(prompt.blocks[3]?.text).toContain('BUDGET_LEFT\n- turns: 6');
    expect(prompt.blocks[3]?.text).toMatch(/\[node_2\] Developer alias=dev role=implementer provider=line/);
    expect(prompt.blocks[3]?.text).toContain('type=handoff bidirectional=true label=task');
  });

  it.each(['codex', 'gemini', 'line'])(
    'under %s nothing changes but its name, and the protocol',
    async (nodeProvider) => {
      const other = (await render('role:planner', { nodeProvider })).prompt.blocks;
      const claude = (await render('role:planner', { nodeProvider: 'claude' })).prompt.blocks;
      expect(other.map(({ name }) => name)).toEqual(claude.map(({ name }) => name));
      const texts = (blocks: typeof other) =>
        blocks
          .slice(1)
          .map(({ text }) => text.replace(/provider[:=] ?\w+/g, 'provider').replace(/\n- usd: .*/, ''));
      expect(texts(other)).toEqual(texts(claude));
      expect(other[0]?.text === claude[0]?.text).toBe(nodeProvider !== 'line');
    },
  );

  it('a mode says what it allows', async () => {
    const planning = (await render('role:planner', { globalMode: 'PLANNING' })).prompt.blocks[2]?.text;
    for (const word of ['read-only', 'docs directory', 'ask for Implementation'])
      expect(planning).toContain(word);
    const implementing = (await render('role:planner')).prompt.blocks[2]?.text;
    for (const word of ['Code edits', 'Docs updates', 'tests or verification'])
      expect(implementing).toContain(word);
  });

  it('every byte knows where it comes from', async () => {
    const { prompt } = await render('team:team.yaml', { node: 'dev' });
    expect(explain(prompt, prompt.text.indexOf('Our own'))?.origin).toMatchObject({
      kind: 'file',
      ref: 'docs/templates/implementer.md',
      line: 7,
    });
    expect(explain(prompt, prompt.text.indexOf('Ship the'))?.origin).toMatchObject({
      ref: 'team.yaml',
      line: 1,
    });
    expect(explain(prompt, prompt.text.indexOf('Tests pass'))?.origin).toMatchObject({
      ref: 'team.yaml',
      line: 3,
    });
    expect(explain(prompt, prompt.text.indexOf('Be brief'))?.origin).toMatchObject({
      ref: 'team.yaml',
      line: 8,
    });
    const shipped = (await render('role:reviewer')).prompt;
    expect(explain(shipped, shipped.text.indexOf('last reader'))?.origin).toMatchObject({ kind: 'shipped' });
  });

  it('a prompt of the file replaces the role layer alone', async () => {
    const files = { ...FILES, 'team.yaml': TEAM.replace('override', 'prompt') };
    const { prompt } = await render('team:team.yaml', { node: 'dev' }, files);
    expect(prompt.blocks.map(({ name }) => name)).toEqual(['system', 'role', 'mode', 'task']);
    expect(prompt.blocks[1]?.text).toBe('Be brief.');
  });
});

describe('check', () => {
  it('finds templates and teams of the project', async () => {
    const files = {
      ...FILES,
      'teams/a.yml': TEAM,
      'x/b.team.yaml': TEAM,
      'x/c.yaml': '1',
      'docs/templates/a b.md': '',
    };
    expect(await findTargets(bench(files))).toEqual([
      'role:implementer',
      'team:team.yaml',
      'team:teams/a.yml',
      'team:x/b.team.yaml',
    ]);
  });

  const edited = (from: string, to: string) => ({ ...FILES, 'team.yaml': TEAM.replace(from, to) });
  it.each<[string, Readonly<Record<string, string>>, string, string, RegExp]>([
    ['broken YAML', { 'team.yaml': 'nodes: [' }, 'E_TEAM', 'team.yaml:1', /./],
    [
      'an unknown key',
      edited('globalMode', 'globalmode'),
      'E_TEAM',
      'team.yaml:4',
      /Did you mean "globalMode"/,
    ],
    ['a wrong mode', edited('PLANNING', 'DREAMING'), 'E_TEAM', 'team.yaml:4', /globalMode/],
    [
      'two equal aliases',
      edited('alias: dev', 'alias: LEAD'),
      'E_TEAM_ALIAS',
      'team.yaml:8',
      /already in use/,
    ],
    [
      'a folder of nobody',
      edited('provider: line', 'workspace: { with: laed }'),
      'E_TEAM_NODE',
      'team.yaml:8',
      /No node has the alias "laed". Did you mean "lead"/,
    ],
    [
      'nodes in the folders of each other',
      {
        'team.yaml': TEAM.replace('provider: line', 'workspace: { with: Lead }').replace(
          'provider: claude',
          'workspace: { with: dev }',
        ),
      },
      'E_TEAM_WORKSPACE',
      'team.yaml:7',
      /lead → dev → lead/,
    ],
    [
      'a node in the folder that it has',
      edited('provider: line', 'workspace: { with: dev }'),
      'E_TEAM_WORKSPACE',
      'team.yaml:8',
      /"dev" works with itself/,
    ],
    [
      'a workspace of no kind',
      edited('provider: line', 'workspace: mine'),
      'E_TEAM',
      'team.yaml:8',
      /own or shared, or \{ with: ALIAS \}/,
    ],
    ['an edge to nobody', edited('to: dev', 'to: dve'), 'E_TEAM_NODE', 'team.yaml:10', /Did you mean "dev"/],
    ['an edge to itself', edited('to: dev', 'to: lead'), 'E_TEAM_EDGE', 'team.yaml:10', /two different/],
    [
      'an edge twice',
      edited('to: dev }', 'to: dev }\n  - { from: LEAD, to: dev }'),
      'E_TEAM_EDGE',
      'team.yaml:11',
      /already/,
    ],
    [
      'an unknown role',
      edited('role: implementer', 'role: implementor'),
      'E_ROLE_UNKNOWN',
      'team.yaml:8',
      /Did you mean "implementer"/,
    ],
    [
      'a role name that climbs',
      edited('role: implementer', 'role: ../x'),
      'E_TEAM',
      'team.yaml:8',
      /docs\/templates/,
    ],
    [
      'a broken template',
      { ...FILES, 'docs/templates/implementer.md': ROLE.replace('"2"', '2') },
      'E_ROLE',
      'docs/templates/implementer.md:3',
      /version/,
    ],
    [
      'a right without scope',
      edited('provider: line', 'capabilities: { edgeManagement: all }'),
      'W_TEAM',
      'team.yaml:8',
      /cannot spawn/,
    ],
    [
      'AUTO without a lead',
      edited('role: orchestrator', 'role: planner'),
      'W_TEAM',
      'team.yaml:7',
      /nobody can finish/,
    ],
    [
      'a node that nothing reaches',
      edited('  - { from: lead, to: dev }', '  []'),
      'W_TEAM',
      'team.yaml:8',
      /only a person/,
    ],
    [
      'a server that nobody names',
      {
        ...edited('provider: line', 'servers: [nots.search]'),
        'cuebook.yaml': 'servers: { notes: { command: x } }',
      },
      'E_MCP_UNKNOWN',
      'team.yaml:8',
      /Did you mean "notes\.search"/,
    ],
    [
      'a server with no name',
      edited('provider: line', 'servers: [Not A Server]'),
      'E_TEAM',
      'team.yaml:8',
      /SERVER\.TOOL/,
    ],
    ['a budget of nothing', edited('turns: 7', 'turns: 0'), 'E_TEAM', 'team.yaml:5', /turns/],
    [
      'too many nodes',
      edited('budget:', 'limits: { nodes: 1 }\nbudget:'),
      'E_TEAM',
      'team.yaml:8',
      /limit is 1/,
    ],
  ])('%s is reported with its place', async (_name, files, code, place, message) => {
    const found = await problems(files);
    const row = found.find(([each, , text]) => each === code && message.test(text));
    expect(found.map(([each]) => each)).toContain(code);
    expect(row?.[1]).toBe(place);
  });

  it('reports all problems at once', async () => {
    const files = edited('alias: dev', 'alias: LEAD');
    expect((await problems(files)).map(([code]) => code)).toEqual(
      expect.arrayContaining(['E_TEAM_ALIAS', 'E_TEAM_NODE']),
    );
  });

  it('unknown files, nodes and roles are named with what was meant', async () => {
    expect((await problems(FILES, 'team:taem.yaml'))[0]?.[2]).toContain('Did you mean team:team.yaml?');
    expect((await problems(FILES, 'team:team.yaml', { node: 'dve' }))[0]?.[2]).toContain(
      'Did you mean "dev"?',
    );
    expect((await problems(FILES, 'role:../../secret'))[0]?.[0]).toBe('E_ROLE_NAME');
    expect((await problems(FILES, 'team:../secret.yaml'))[0]?.[0]).toMatch(/^E_SANDBOX/);
  });
});

it('a node that names no provider speaks with the default of the providers', () => {
  expect(DEFAULT_NODE_PROVIDER).toBe(DEFAULT_PROVIDER);
});
