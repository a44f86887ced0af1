import { describe, expect, test } from 'vitest';
import { checkAgent } from './check.js';
import { parseManifests } from './read.js';

const TEXTS = `apiVersion: v1
kind: ConfigMap
metadata: { name: p }
data: { a: A, safety: S }
binaryData: { z: aGk= }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: q }
data: { c: C }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: empty }
---
apiVersion: v1
kind: Secret
metadata: { name: hush }
stringData: { t: '{{include "no/where"}}{{.Nope}}', bad: '{{sesame' }
`;

/** Problems as `line:column CODE message`, lines counted from the first of the Agent's `declarative`. */
function problems(declarative: string, spec = ''): readonly string[] {
  const agent = `apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata: { name: a }
spec:
${spec}  declarative:
${declarative.replace(/^/gm, '    ')}
`;
  const {
    agents,
    texts,
    problems: found,
  } = parseManifests([
    ['texts.yaml', TEXTS],
    ['a.yaml', agent],
  ]);
  expect(found).toEqual([]);
  const only = agents.get('default/a');
  if (only === undefined) throw new Error('no agent');
  const first = 5 + (spec === '' ? 0 : 1);
  return checkAgent(only, texts).map(({ code, file, line = 0, column, message }) => {
    const place = file === 'a.yaml' ? `${line - first}:${column}` : `${file}:${line}:${column}`;
    return `${place} ${code} ${message}`;
  });
}
const withSources = (message: string, ...sources: readonly string[]): readonly string[] =>
  problems(
    `systemMessage: |\n${message.replace(/^/gm, '  ')}\npromptTemplate:\n  dataSources: [${sources.join(', ')}]`,
  );
const P = '{ kind: ConfigMap, name: p }';
const codes = (found: readonly string[]): readonly string[] =>
  found.map((each) => each.replace(/^\S+ (\S+) .*$/s, '$1'));

describe('every branch is looked into', () => {
  test.each<[template: string, found: string]>([
    [
      'x\n{{if .SkillNames}}é{{include "p/saftey"}}{{end}}',
      '3:36 E_INCLUDE_PATH No source gives "p/saftey". Did you mean "p/safety"?',
    ],
    ['{{"p/b" | include}}', '2:9 E_INCLUDE_PATH No source gives "p/b". Did you mean "p/a"?'],
    [
      '{{with include "zzz/zzz"}}{{end}}',
      '2:22 E_INCLUDE_PATH No source gives "zzz/zzz". There are p/a, p/safety',
    ],
    [
      '{{and false (include "p/z")}}',
      '2:28 E_INCLUDE_PATH No source gives "p/z". The key is there, but it is binary data',
    ],
    [
      '{{define "t"}}{{include "p/b"}}{{end}}{{template "t"}}',
      '2:31 E_INCLUDE_PATH No source gives "p/b". Did you mean "p/a"?',
    ],
    [
      '{{range .ToolNames}}{{else}}{{.Nope}}{{end}}',
      '2:37 E_TEMPLATE_FIELD There is no variable "Nope". There are AgentName, AgentNamespace, Description, ToolNames, SkillNames',
    ],
    [
      '{{if false}}{{.agentName}}{{end}}',
      '2:21 E_TEMPLATE_FIELD There is no variable "agentName". Did you mean "AgentName"?',
    ],
    [
      '{{range .ToolNames}}{{.AgentName}}{{end}}',
      '2:29 E_TEMPLATE_FIELD The dot is a text here, and a text has no "AgentName". Did you mean "$.AgentName"?',
    ],
    [
      '{{with .Description}}{{.AgentName}}{{end}}',
      '2:30 E_TEMPLATE_FIELD The dot is a text here, and a text has no "AgentName". Did you mean "$.AgentName"?',
    ],
    [
      '{{with .ToolNames}}{{.AgentName}}{{end}}',
      '2:28 E_TEMPLATE_FIELD The dot is a list here, and a list has no "AgentName". Did you mean "$.AgentName"?',
    ],
    [
      '{{$.Nam}}',
      '2:10 E_TEMPLATE_FIELD There is no variable "Nam". There are AgentName, AgentNamespace, Description, ToolNames, SkillNames',
    ],
    ['{{.AgentName.Length}}', '2:19 E_TEMPLATE_FIELD "AgentName" is a text, and a text has no "Length"'],
  ])('%j', (template, found) => {
    expect(
      withSources(`${template}{{/* used */}}`, P).filter((each) => !each.includes('W_SOURCE_UNUSED')),
    ).toEqual([found]);
  });

  test.each([
    '{{include "p/a"}}{{.AgentName}}{{$.Description}}',
    '{{include "p/a"}}{{range .ToolNames}}{{.}}{{$.AgentName}}{{end}}{{range $i, $t := .SkillNames}}{{$t}}{{end}}',
    '{{include "p/a"}}{{with $x := .ToolNames}}{{len $x}}{{index . 0}}{{end}}{{with .}}{{.AgentName}}{{end}}',
    '{{include "p/a"}}{{define "t"}}{{.Whatever}}{{end}}',
    '{{include (printf "%s/a" "p")}}',
    '{{$p := "p/a"}}{{include $p}}',
  ])('%j is fine', (template) => {
    expect(withSources(template, P)).toEqual([]);
  });
});

describe('sources', () => {
  test.each<[what: string, template: string, sources: readonly string[], found: readonly RegExp[]]>([
    ['unused', 'x', [P], [/^4:21 W_SOURCE_UNUSED .*"p" \(ConfigMap p\) is included nowhere/]],
    ['empty', 'x', ['{ kind: ConfigMap, name: empty }'], [/W_SOURCE_UNUSED .*no text/]],
    ['of no kind', '{{include "p/a"}}', ['{ name: p }'], [/^4:21 W_SOURCE_KIND/]],
    [
      'by name where they have an alias',
      '{{include "p/a"}}',
      ['{ kind: ConfigMap, name: p, alias: x }'],
      [/E_INCLUDE_PATH .*goes by its alias: did you mean "x\/a"\?/, /W_SOURCE_UNUSED/],
    ],
    [
      'that share an alias',
      '{{include "x/a"}}{{include "x/c"}}',
      ['{ kind: ConfigMap, name: p, alias: x }', '{ kind: ConfigMap, name: q, alias: x }'],
      [/^4:96 W_SOURCE_ALIAS Two sources go by "x": p and q/],
    ],
    [
      'whose alias is the name of another',
      '{{include "p/a"}}{{include "p/c"}}',
      [P, '{ kind: ConfigMap, name: q, alias: p }'],
      [/W_SOURCE_ALIAS Two sources go by "p"/],
    ],
    [
      'with a slash in the alias',
      '{{include "x/y/a"}}',
      ['{ kind: ConfigMap, name: p, alias: x/y }'],
      [/W_SOURCE_ALIAS/],
    ],
    [
      'that collide, all of them',
      '{{include "p/a"}}',
      [P, P],
      [/E_SOURCE duplicate .*"p\/a"/, /E_SOURCE duplicate .*"p\/safety"/, /W_SOURCE_ALIAS/],
    ],
    [
      'that are not there, and nothing about their keys',
      '{{include "pp/a"}}',
      ['{ kind: ConfigMap, name: pp }'],
      [/^4:46 E_SOURCE .*configmaps "pp" not found. Did you mean p\?/],
    ],
    [
      'of kagent',
      '{{include "kagent-builtin-prompts/safety-guardrails"}}',
      ['{ kind: ConfigMap, name: kagent-builtin-prompts }'],
      [/W_SOURCE_SHIPPED/],
    ],
    [
      'of ours',
      '{{include "cuebook-builtin-prompts/safety-guardrails"}}',
      ['{ kind: ConfigMap, name: cuebook-builtin-prompts }'],
      [],
    ],
    ['of an unknown kind', 'x', ['{ kind: Vault, name: p }'], [/^4:29 E_SOURCE/]],
  ])('%s', (_what, template, sources, found) => {
    const all = withSources(template, ...sources);
    expect(all).toHaveLength(found.length);
    for (const pattern of found)
      expect(
        all.some((each) => pattern.test(each)),
        `${pattern} in ${all}`,
      ).toBe(true);
  });
});

test('every problem comes at once', () => {
  const found = withSources('{{.X}}{{include "y"}}', '{ name: nowhere }', '{ kind: Vault, name: v }', P);
  expect([...codes(found)].sort()).toEqual([
    'E_INCLUDE_PATH',
    'E_SOURCE',
    'E_SOURCE',
    'E_TEMPLATE_FIELD',
    'W_SOURCE_KIND',
    'W_SOURCE_UNUSED',
  ]);
});

test('a template that does not parse is placed at its line', () => {
  expect(withSources('x\n{{end}}', P)).toEqual([
    expect.stringMatching(
      /^3:\d+ E_TEMPLATE_PARSE failed to parse system message template: template: systemMessage:2: unexpected \{\{end\}\}$/,
    ),
  ]);
});

test('template syntax without promptTemplate is pointed out', () => {
  expect(problems('systemMessage: "You are {{ .AgentName }}"')).toEqual([
    expect.stringMatching(/^1:\d+ W_TEMPLATE_LITERAL/),
  ]);
  expect(problems('systemMessage: "Use {{mustache}} and {{#if x}}"')).toEqual([]);
});

test('a mistyped key is pointed out', () => {
  expect(codes(problems('systemMessage: x\npromptTemplat: { dataSources: [] }\nsystem_message: y'))).toEqual([
    'W_MANIFEST_KEY',
    'W_MANIFEST_KEY',
  ]);
  expect(problems('systemMessage: x\nmodelConfig: m\na2aConfig: {}\nexecuteCodeBlocks: true')).toEqual([]);
});

describe('a template from a Secret', () => {
  const from = (key: string) =>
    problems(`systemMessageFrom: { type: Secret, name: hush, key: ${key} }\npromptTemplate: {}`);

  test('is checked where it stands, and not quoted', () => {
    const found = from('t');
    expect(codes(found)).toEqual(['E_INCLUDE_PATH', 'E_TEMPLATE_FIELD']);
    expect(found.join()).toContain('texts.yaml:19:');
    expect(found.join()).not.toMatch(/where|Nope/);
  });

  test('is not quoted when it does not parse', () => {
    const found = from('bad');
    expect(codes(found)).toEqual(['E_TEMPLATE_PARSE']);
    expect(found.join()).not.toContain('sesame');
  });
});
