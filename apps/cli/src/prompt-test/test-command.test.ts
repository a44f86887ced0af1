import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startModelServer } from '../../../../test/model-server/index.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { PROJECT } from '../../test/mcp.js';
import { TEMPLATE } from '../init/template.js';

interface Answer {
  readonly ok: boolean;
  readonly cases: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly failed: readonly object[];
  }[];
  readonly snapshots: { readonly written: readonly string[]; readonly unused: readonly string[] };
  readonly diagnostics: readonly { readonly file: string; readonly line: number; readonly code: string }[];
}

const FILE = 'agents/prompts/summarise.test.yaml';
const SNAPSHOTS = 'agents/prompts/__snapshots__/summarise.test.yaml.snap';
const desk = (files: Readonly<Record<string, string>>) => folderWith({ ...PROJECT, ...files });

async function test(cwd: string, args: readonly string[] = [], env = {}) {
  const { code, stdout, stderr } = await cuebook(['test', '--json', ...args], { cwd, env });
  return { code, stderr, answer: JSON.parse(stdout) as Answer };
}

const names = ({ cases }: Answer, ok = true) =>
  cases.filter((each) => each.ok === ok).map(({ name }) => name);

describe('cuebook test', () => {
  itInTurn.each(readdirSync(join(ROOT, 'examples')).filter((name) => hasCases(join(ROOT, 'examples', name))))(
    'is content with the example %s',
    async (name) => {
      const { code, stderr } = await cuebook(['test'], { cwd: join(ROOT, 'examples', name) });
      expect([code, stderr]).toEqual([0, '']);
    },
  );

  itInTurn('is content with a new project', async () => {
    const { code, answer } = await test(folderWith(TEMPLATE));
    expect([code, answer.ok]).toEqual([0, true]);
    expect(answer.cases.length).toBeGreaterThan(2);
  });

  itInTurn('tells what is not as expected, and why', async () => {
    const cwd = desk({
      [FILE]: `cases:
  - { name: good, args: { text: A tale. }, request: { user: { contains: A tale. }, system: { absent: A tale. } } }
  - { name: words, request: { contains: nowhere } }
  - { name: many, request: { tokens: { max: 1 } } }
  - { name: tools, request: { tools: [find_book] } }
  - { name: params, request: { params: { model: other } } }
  - { name: hash, request: { hash: "sha256:${'0'.repeat(64)}" } }
  - { name: refusal, request: { refused: E_INPUT } }
  - { name: refused, args: { text: 7 }, request: { contains: Sum } }
  - { name: strange, with: { nonsense: 1 }, request: { contains: Sum } }
  - { name: said, input: a, script: [{ text: no }], answer: { contains: 'yes' } }
`,
    });
    const { code, answer } = await test(cwd);
    expect(code).toBe(1);
    expect(names(answer)).toEqual(['good']);
    const paths = answer.cases.map(({ failed }) =>
      failed.map((each) => (each as { path: string }).path).join(),
    );
    expect(paths).toEqual([
      ...[
        '',
        'request.contains',
        'request.tokens.max',
        'request.tools',
        'request.params.model',
        'request.hash',
      ],
      ...['request.refused', 'request', 'request', 'answer.contains'],
    ]);
    const { stdout } = await cuebook(['test'], { cwd });
    expect(stdout).toContain(`✗ words ${FILE}:3`);
    expect(stdout).toContain('10 cases, 9 failed');
  });

  itInTurn('takes cases of any target, from tests/ or where they are named', async () => {
    const cwd = folderWith({
      ...TEMPLATE,
      'tests/sheet.test.yaml':
        'target: sheet:review\nwith: { set: { change: "+1" } }\ncases: [{ name: sheet, request: { contains: "+1", tools: [read_file] } }]\n',
      'more/agent.test.yaml':
        'target: agent:desk\ncases: [{ name: agent, input: Hi, request: { contains: [review desk, Hi] } }]\n',
    });
    expect(names((await test(cwd)).answer)).toContain('sheet');
    expect(names((await test(cwd, ['more'])).answer)).toEqual(['agent']);
    expect(names((await test(cwd, ['more/agent.test.yaml'])).answer)).toEqual(['agent']);
    expect(names((await test(cwd, ['sheet:review'])).answer)).toEqual(['sheet']);
    expect(names((await test(cwd, ['--filter', 'counts'])).answer)).toEqual(['counts before it judges']);
    expect((await cuebook(['test', 'prompt:gone'], { cwd })).stderr).toContain('E_TEST_NONE');
    expect(await cuebook(['test', '--jobs', '0'], { cwd })).toMatchObject({ code: 2 });
    expect(await cuebook(['test'], { cwd: desk({}) })).toMatchObject({ code: 2 });
  });

  itInTurn('keeps snapshots, shows what changed, and lets go of what nobody asks for', async () => {
    const cases = (more: string) => `cases:
  - { name: one, args: { text: A tale. }, request: { snapshot: true } }
  - { name: two, input: x, script: [{ text: Short., toolCalls: [{ name: a, args: { b: 1 } }] }], answer: { snapshot: true } }
${more}`;
    const cwd = desk({ [FILE]: cases('  - { name: three, request: { snapshot: true } }\n') });
    expect(names((await test(cwd)).answer, false)).toEqual(['one', 'two', 'three']);
    expect(existsSync(join(cwd, SNAPSHOTS))).toBe(false);
    expect((await test(cwd, ['--update'])).answer.snapshots.written).toEqual([SNAPSHOTS]);
    expect(readFileSync(join(cwd, SNAPSHOTS), 'utf8')).toContain('  [call] a {"b":1}\n');
    expect((await test(cwd)).code).toBe(0);
    expect((await test(cwd, ['--update'])).answer.snapshots.written).toEqual([]);

    const prompt = join(cwd, 'agents/prompts/summarise.ts');
    writeFileSync(prompt, readFileSync(prompt, 'utf8').replace('Sum up what', 'Sum up all that'));
    const { stdout } = await cuebook(['test'], { cwd });
    expect(stdout).toContain('- Sum up what you are given.');
    expect(stdout).toContain('+ Sum up all that you are given.');

    // One case alone leaves the snapshots of the others as they are.
    await test(cwd, ['--update', '--filter', 'one']);
    expect(names((await test(cwd)).answer, false)).toEqual(['three']);
    writeFileSync(join(cwd, FILE), cases(''));
    expect((await test(cwd)).answer).toMatchObject({
      ok: true,
      snapshots: { unused: [`${SNAPSHOTS}: three > request`] },
    });
    await test(cwd, ['--update']);
    expect(readFileSync(join(cwd, SNAPSHOTS), 'utf8')).not.toContain('three');

    writeFileSync(join(cwd, SNAPSHOTS), 'damaged');
    expect((await test(cwd)).answer.diagnostics).toMatchObject([{ file: SNAPSHOTS, line: 1 }]);
    expect((await cuebook(['test'], { cwd })).stdout).toBe('no case ran, and files that cannot be read\n');

    writeFileSync(join(cwd, SNAPSHOTS), '=== "old > request"\n  x\n');
    writeFileSync(join(cwd, FILE), 'cases: [{ name: one, request: { contains: Sum } }]\n');
    expect((await test(cwd, ['--update'])).code).toBe(0);
    expect(existsSync(join(cwd, SNAPSHOTS))).toBe(false);
  });

  itInTurn('runs an agent until it has answered, with its tools, and leaves no record', async () => {
    const cwd = desk({
      'agents/prompts/clerk.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'clerk', toolDescription: 'Helps', model: 'everyday', prompt: 'You help.', tools: ['find_book'] });
`,
      'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'desk', sideA: { prompt: 'clerk' } });
`,
      'agents/agents/desk.test.yaml': `env: { SHELF: "12" }
input: Where is Emma?
cases:
  - name: looks it up
    script:
      - toolCalls: [{ name: find_book, args: { title: Emma } }]
      - text: On shelf 12.
    answer: { equals: On shelf 12., calls: [{ name: find_book, args: { title: Emma } }] }
  - name: runs out of words
    script: [{ toolCalls: [{ name: find_book, args: { title: Emma } }] }]
    answer: { error: E_SCRIPT_END }
  - name: goes on
    conversation: [{ user: Hello }]
    script: [{ text: "Yes?" }]
    answer: { equals: "Yes?" }
`,
    });
    const temporary = folderWith();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, answer } = await test(cwd);
    expect([code, answer.cases.map(({ failed }) => failed)]).toEqual([0, [[], [], []]]);
    expect(existsSync(join(cwd, '.cuebook'))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('tells what is wrong with a file, and runs the others', async () => {
    const cwd = desk({
      [FILE]: 'cases: [{ name: fine, request: { contains: Sum } }]\n',
      'tests/bad.test.yaml': 'target: prompt:librarian\ncases:\n  - { name: x, requst: {} }\n',
    });
    const { code, answer } = await test(cwd, ['--junit', 'report.xml']);
    expect([code, names(answer)]).toEqual([1, ['fine']]);
    expect(answer.diagnostics).toMatchObject([{ code: 'E_TEST_FILE', file: 'tests/bad.test.yaml', line: 3 }]);
    expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain('type="E_TEST_FILE"');
  });

  it('writes a JUnit report of whatever words', async () => {
    const cwd = desk({
      [FILE]:
        'cases:\n  - { name: "<a> & \\"b\\" \\u0001", request: { contains: "\\u0002]]>" } }\n  - { name: ok, request: {} }\n',
    });
    for (const round of [1, 2]) {
      expect([round, (await test(cwd, ['--junit', 'report.xml'])).code]).toEqual([round, 1]);
    }
    const report = readFileSync(join(cwd, 'report.xml'), 'utf8');
    expect(report).toContain('<testsuites name="cuebook test" tests="2" failures="1" errors="0"');
    expect(report).toContain('name="&lt;a&gt; &amp; &quot;b&quot; \ufffd"');
    expect(report).not.toMatch(/[\u0001\u0002]/);
  });

  itInTurn('speaks to a real provider where a case names one', async () => {
    const server = await startModelServer();
    try {
      server.script('case', [{ text: 'A tale, in short.' }]);
      const cwd = desk({
        [FILE]:
          'cases:\n  - { name: real, provider: anthropic, model: claude-sonnet-4-5, args: { text: A tale. }, answer: { contains: in short } }\n',
      });
      const env = {
        ANTHROPIC_API_KEY: 'sk-ant-fake-key-for-tests-0000',
        ANTHROPIC_BASE_URL: server.laneUrl('case'),
      };
      expect((await test(cwd, [], env)).answer).toMatchObject({ ok: true });
      expect(server.lane('case').requests).toHaveLength(1);
      expect((await test(cwd, [], {})).answer.cases[0]?.failed).toMatchObject([{ path: 'answer.error' }]);
    } finally {
      await server.close();
    }
  });
});

const hasCases = (folder: string): boolean => {
  const prompts = join(folder, 'agents/prompts');
  return existsSync(prompts) && readdirSync(prompts).some((name) => name.endsWith('.test.yaml'));
};
