import { hash as digest } from 'node:crypto';
import { memorySource } from '@cuebook/files';
import { checkTarget, composeTarget, findProblems, findTargets, type Workbench } from '@cuebook/profile';
import { createRedactor, explain, renderDocument } from '@cuebook/prompt';
import { describe, expect, test } from 'vitest';
import { growthOf } from '../../../test/growth.js';
import { itInTurn } from '../../../test/runs.js';
import { BUILTIN_PROMPTS, builtinConfigMap } from './builtin.js';
import { createManifestProfile } from './profile.js';

const bench = (files: Record<string, string>): Workbench => {
  const project = memorySource(files);
  if (!project.ok) throw new Error(project.error.code);
  return {
    profiles: [createManifestProfile({ folder: 'manifests' })],
    project: project.value,
    hash: (text) => `sha256:${digest('sha256', text)}`,
    redactor: createRedactor({ roots: [], private: [], names: [] }),
  };
};
const AGENT = (name: string, message: string, sources = ''): string =>
  `apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata:
  name: ${name}
spec:
  description: Hélper of "all"
  skills: { refs: ['reg/s1:v1'] }
  declarative:
    tools:
      - mcpServer: { toolNames: [t1, t2] }
    systemMessage: |
${message.replace(/^/gm, '      ')}
    promptTemplate: { dataSources: [${sources}] }
`;
const TEXTS = `apiVersion: v1
kind: ConfigMap
metadata: { name: p }
data:
  a: |
    One é
    two.
---
apiVersion: v1
kind: Secret
metadata: { name: s }
data: { k: aHVzaA== }
`;
const SOURCES = '{ kind: ConfigMap, name: p }, { kind: Secret, name: s }';

async function compose(message: string) {
  const files = { 'manifests/t.yaml': TEXTS, 'manifests/a.yaml': AGENT('x', message, SOURCES) };
  const result = await composeTarget(bench(files), 'manifest:default/x');
  if (!result.ok) throw new Error(result.diagnostics.map(({ message: words }) => words).join('\n'));
  return result.value;
}

describe('every byte knows where it comes from', () => {
  const origin = async (message: string, at: string) => {
    const { prompt } = await compose(`{{/* */}}${message}`);
    const byte = Buffer.from(prompt.text).indexOf(at);
    const found = explain(prompt, byte);
    return [found?.origin, found?.span.trust, found?.span.secrecy, found?.span.volatility];
  };
  const A = (line: number, column: number) => ({ ref: 'manifests/a.yaml', line, column });
  const T = (line: number, column: number) => ({ ref: 'manifests/t.yaml', line, column });
  /** Where the Agent says that its message is a template. */
  const IS_TEMPLATE = A(13, 21);
  const OPERATOR = ['operator', 'public', 'deploy'];

  test.each<[message: string, at: string, origin: object, labels: readonly string[]]>([
    ['é literal', 'literal', { kind: 'file', ...A(12, 18) }, OPERATOR],
    ['{{.AgentName}}', 'x', { kind: 'file', ...A(4, 9), via: [IS_TEMPLATE, A(12, 16)] }, OPERATOR],
    ['{{.Description}}', 'Hé', { kind: 'file', ...A(6, 16), via: [IS_TEMPLATE, A(12, 16)] }, OPERATOR],
    [
      'a {{range .ToolNames}}{{.}}{{end}}',
      't2',
      { kind: 'file', ...A(10, 38), via: [A(10, 7), A(12, 18), IS_TEMPLATE, A(12, 38)] },
      OPERATOR,
    ],
    ['{{range $i, $t := .ToolNames}}{{$t}}{{end}}', 't2', { kind: 'file', ...A(10, 38) }, OPERATOR],
    ['{{index .SkillNames 0}}', 's1', { kind: 'file', ...A(7, 25) }, OPERATOR],
    [
      '{{if and .SkillNames .ToolNames}}both{{end}}',
      'both',
      { kind: 'file', ...A(12, 49), via: [A(7, 11), A(10, 7), A(12, 16)] },
      OPERATOR,
    ],
    [
      '{{if eq .AgentName "y"}}{{else if $.Description}}told{{end}}',
      'told',
      { kind: 'file', ...A(12, 65), via: [A(4, 9), A(12, 16), A(6, 16), A(12, 40)] },
      OPERATOR,
    ],
    ['{{.ToolNames}}', '[t1', { kind: 'result', ...A(12, 16) }, OPERATOR],
    ['{{include "p/a"}}', 'two', { kind: 'file', ...T(7, 5), via: [A(13, 37), A(12, 16)] }, OPERATOR],
    ['{{$x := include "p/a"}}{{$x}}', 'two', { kind: 'file', ...T(7, 5) }, OPERATOR],
    ['{{include "p/a" | printf "%q"}}', '"One', { kind: 'result', ...A(12, 16) }, OPERATOR],
    ['{{include "s/k"}}', 'hush', { kind: 'value', ...T(12, 12) }, ['operator', 'confidential', 'deploy']],
  ])('%j: %j', async (message, at, expected, labels) => {
    const [found, ...rest] = await origin(message, at);
    expect(found).toMatchObject(expected);
    expect(rest).toEqual(labels);
  });
});

describe('text of a Secret', () => {
  const masked = async (message: string): Promise<string> => {
    const { prompt } = await compose(message);
    const tokens = { total: 0, byBlock: {} };
    return renderDocument({ profile: 'manifest', prompt, tokens }).messages[0]?.content as string;
  };

  test.each([
    ['as it is', '{{include "s/k"}}'],
    ['in a variable', '{{$x := include "s/k"}}{{$x}}'],
    ['quoted', '{{include "s/k" | printf "%q"}}'],
    ['cut', '{{slice (include "s/k") 0 3}}'],
    ['as the dot', '{{with include "s/k"}}{{.}}{{end}}'],
    ['handed to a template', '{{define "t"}}{{.}}!{{end}}{{template "t" (include "s/k")}}'],
    [
      'letter by letter',
      '{{printf "%c" (index (include "s/k") 0)}}{{printf "%s" (slice (include "s/k") 1)}}',
    ],
  ])('%s is masked', async (_how, message) => {
    const { prompt } = await compose(message);
    expect(prompt.text).toMatch(/hush|hus|h/);
    const shown = await masked(message);
    expect(shown).toContain('[confidential]');
    expect(shown).not.toMatch(/hus|ush/);
  });

  test('is not taken for what has nothing to do with it', async () => {
    const message =
      '{{len .ToolNames}}{{range $i, $t := .ToolNames}} {{$i}}{{printf "%q" .}}{{end}} {{printf "%s" (include "p/a")}}{{include "s/k"}}';
    expect(await masked(message)).toBe('2 0"t1" 1"t2" One é\ntwo.\n[confidential]\n');
  });

  test('is nowhere where no Secret is read', async () => {
    expect(await masked('{{define "t"}}{{printf "%q" .}}{{end}}{{template "t" .AgentName}}')).toBe('"x"\n');
  });

  test('cut within a character stays one text', async () => {
    const message = '{{$x := include "p/a"}}{{slice $x 0 5}}{{slice $x 5}}';
    expect((await compose(message)).prompt.text).toBe('One é\ntwo.\n\n');
  });

  test('leaves the rest as it is', async () => {
    expect(await masked('I am {{.AgentName}}: {{include "s/k"}}, {{include "p/a"}}')).toBe(
      'I am x: [confidential], One é\ntwo.\n\n',
    );
  });
});

test('a broken document stands in nobody else’s way, but is reported', async () => {
  const files = {
    'manifests/a.yaml': AGENT('x', 'hi'),
    'manifests/b.yaml': `${TEXTS}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: bad }\ndata: { k: 3 }\n`,
    'manifests/c.yaml': AGENT('z', '{{include "bad/k"}}', '{ kind: ConfigMap, name: bad }'),
    'manifests/readme.md': 'a: [',
  };
  const desk = bench(files);
  expect(await findTargets(desk)).toEqual(['manifest:default/x', 'manifest:default/z']);
  expect(await findProblems(desk)).toMatchObject([
    { code: 'E_MANIFEST', file: 'manifests/b.yaml', line: 17 },
  ]);
  expect((await composeTarget(desk, 'manifest:default/x')).ok).toBe(true);
  const z = await composeTarget(desk, 'manifest:default/z');
  expect(z.ok ? [] : z.diagnostics.map(({ code }) => code)).toEqual(['E_MANIFEST']);
});

test('a document of which nobody knows what it is stands in everybody’s way', async () => {
  const desk = bench({ 'manifests/a.yaml': `${AGENT('x', 'hi')}---\nkind: [\n` });
  expect((await composeTarget(desk, 'manifest:default/x')).ok).toBe(false);
});

test('a project without manifests has none', async () => {
  const desk = bench({ 'a.md': '' });
  expect(await findTargets(desk)).toEqual([]);
  expect(await findProblems(desk)).toEqual([]);
});

itInTurn('an edit is seen, and many Agents take time in proportion', async () => {
  const text = (count: number) => Array.from({ length: count }, (_, i) => AGENT(`x${i}`, 'hi')).join('---\n');
  const checkAll = async (count: number): Promise<void> => {
    const desk = bench({ 'manifests/a.yaml': text(count) });
    for (const target of await findTargets(desk)) await composeTarget(desk, target);
  };
  await checkAll(20);
  // Twice as many: parsing everything anew for each would take four times as long.
  expect(await growthOf(checkAll, 60, 2.8)).toBeLessThan(3.2);
  const [profile] = bench({}).profiles;
  const named = async (name: string) => {
    const project = memorySource({ 'manifests/a.yaml': AGENT(name, 'hi') });
    return project.ok ? profile?.find(project.value) : [];
  };
  expect(await named('one')).toEqual(['default/one']);
  expect(await named('two')).toEqual(['default/two']);
});

test('every file is read once, however many Agents there are', async () => {
  const counted = async (count: number) => {
    const files = Array.from({ length: count }, (_, i) => [`manifests/${i}.yaml`, AGENT(`x${i}`, 'hi')]);
    const desk = bench(Object.fromEntries(files));
    const calls = { read: 0, walk: 0 };
    const project = {
      ...desk.project,
      readText: (path: string) => {
        calls.read += 1;
        return desk.project.readText(path);
      },
      walk: (path: string) => {
        calls.walk += 1;
        return desk.project.walk(path);
      },
    };
    const counting = { ...desk, project };
    for (const target of await findTargets(counting)) await checkTarget(counting, target);
    await findProblems(counting);
    return calls;
  };
  expect(await counted(10)).toEqual({ read: 10, walk: 1 });
  expect(await counted(100)).toEqual({ read: 100, walk: 1 });
});

test('the built-in prompts are those of the specification, and pass as a manifest', async () => {
  expect(Object.keys(BUILTIN_PROMPTS)).toEqual([
    'skills-usage',
    'tool-usage-best-practices',
    'safety-guardrails',
    'kubernetes-context',
    'a2a-communication',
  ]);
  const message = Object.keys(BUILTIN_PROMPTS)
    .map((key) => `{{include "cuebook-builtin-prompts/${key}"}}`)
    .join('');
  const source = '{ kind: ConfigMap, name: cuebook-builtin-prompts }';
  const agent = AGENT('x', message, source);
  const own = JSON.stringify(builtinConfigMap('default'));
  const texts: string[] = [];
  for (const files of [
    { 'manifests/a.yaml': agent },
    { 'manifests/a.yaml': agent, 'manifests/b.json': own },
  ]) {
    const result = await composeTarget(bench(files), 'manifest:default/x');
    if (!result.ok) throw new Error(result.diagnostics[0]?.message);
    expect(result.value.diagnostics).toEqual([]);
    texts.push(result.value.prompt.text);
    const [span] = result.value.prompt.blocks[0]?.spans ?? [];
    expect(span?.trust).toBe(files['manifests/b.json' as never] === undefined ? 'platform' : 'operator');
  }
  // Nothing in them looks private to the redactor.
  expect(texts[0]).toBe(`${Object.values(BUILTIN_PROMPTS).join('')}\n`);
  expect(texts[1]).toBe(texts[0]);
});
