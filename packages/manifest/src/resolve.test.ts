import { describe, expect, test } from 'vitest';
import { agentOf, manifests, resolve, resolveText } from '../test/agents.js';
import { BUILTIN_PROMPTS } from './builtin.js';
import { parseManifests } from './read.js';
import { referencesOf, resolveAgent } from './resolve.js';

const MAP = (name: string, data: Record<string, string>, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
  ...more,
});
const SECRET = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
});
const SOURCES = (...dataSources: object[]) => ({ promptTemplate: { dataSources } });
const CM = (name: string, alias?: string) => ({
  kind: 'ConfigMap',
  name,
  ...(alias === undefined ? {} : { alias }),
});

describe('the example of the specification', () => {
  // A literal block ends with a line break and so does the line of the include: a blank line follows each.
  test('resolves byte for byte', () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: my-prompts
  namespace: default
data:
  preamble: |
    You are a helpful assistant specialized in Kubernetes operations.
    Always explain your reasoning before taking action.
  safety: |
    Never delete resources without explicit user confirmation.
    Never expose secrets or credentials in your responses.
---
apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata:
  name: k8s-helper
  namespace: default
spec:
  description: "Kubernetes troubleshooting agent"
  declarative:
    modelConfig: default-model-config
    systemMessage: |
      {{include "my-prompts/preamble"}}

      Your name is {{.AgentName}} and you operate in the {{.AgentNamespace}} namespace.
      Your purpose: {{.Description}}

      {{include "my-prompts/safety"}}
    promptTemplate:
      dataSources:
        - kind: ConfigMap
          name: my-prompts
    tools:
      - type: McpServer
        mcpServer:
          name: k8s-tools
          kind: RemoteMCPServer
          apiGroup: kagent.dev
          toolNames: ["get-pods", "describe-pod"]
`;
    const read = parseManifests([['m.yaml', text]]);
    const agent = read.agents.get('default/k8s-helper');
    if (agent === undefined) throw new Error('no agent');
    expect(resolveAgent(agent, read.texts)).toMatchObject({
      ok: true,
      text: `You are a helpful assistant specialized in Kubernetes operations.
Always explain your reasoning before taking action.


Your name is k8s-helper and you operate in the default namespace.
Your purpose: Kubernetes troubleshooting agent

Never delete resources without explicit user confirmation.
Never expose secrets or credentials in your responses.

`,
    });
  });

  test('lists tools, asks for skills and counts', () => {
    const message = `Available tools: {{range .ToolNames}}- {{.}}
{{end}}
{{if .SkillNames}}You have skills available.{{end}}
You have {{len .ToolNames}} tools configured.
`;
    const tools = [{ mcpServer: { toolNames: ['get-pods', 'describe-pod'] } }];
    expect(resolveText({ systemMessage: message, tools, ...SOURCES() })).toBe(
      'Available tools: - get-pods\n- describe-pod\n\n\nYou have 2 tools configured.\n',
    );
    expect(
      resolveText({ systemMessage: '{{if .SkillNames}}yes{{end}}', ...SOURCES() }, [], {
        skills: { refs: ['r/x:1'] },
      }),
    ).toBe('yes');
  });

  test('takes ConfigMaps and Secrets together', () => {
    const objects = [
      MAP('team-prompts', { 'coding-standards': 'T' }),
      SECRET('proprietary-prompts', { 'company-instructions': 'P' }),
    ];
    const systemMessage =
      '{{include "builtin/safety-guardrails"}}{{include "team/coding-standards"}}{{include "proprietary/company-instructions"}}';
    const sources = SOURCES(CM('kagent-builtin-prompts', 'builtin'), CM('team-prompts', 'team'), {
      kind: 'Secret',
      name: 'proprietary-prompts',
      alias: 'proprietary',
    });
    expect(resolveText({ systemMessage, ...sources }, objects)).toBe(
      `${BUILTIN_PROMPTS['safety-guardrails']}TP`,
    );
  });
});

describe('sources', () => {
  const P = MAP('p', { a: 'A', b: 'B' });
  const Q = MAP('q', { c: 'C', a: 'QA' });
  const twenty = (count: number) => Array.from({ length: count }, (_, i) => CM('p', `x${i}`));

  test.each<[what: string, declarative: object, objects: object[], text: string]>([
    [
      'without an alias go by their name',
      { systemMessage: '{{include "p/a"}}', ...SOURCES(CM('p')) },
      [P],
      'A',
    ],
    ['with an empty alias too', { systemMessage: '{{include "p/a"}}', ...SOURCES(CM('p', '')) }, [P], 'A'],
    ['with an alias go by that', { systemMessage: '{{include "x/a"}}', ...SOURCES(CM('p', 'x')) }, [P], 'A'],
    [
      'of one alias are merged when no key is in both',
      { systemMessage: '{{include "x/a"}}{{include "x/c"}}', ...SOURCES(CM('p', 'x'), CM('r', 'x')) },
      [P, MAP('r', { c: 'C' })],
      'AC',
    ],
    [
      'may be one ConfigMap under two aliases',
      { systemMessage: '{{include "x/a"}}{{include "y/a"}}', ...SOURCES(CM('p', 'x'), CM('p', 'y')) },
      [P],
      'AA',
    ],
    ['may be empty when unused', { systemMessage: 'hi', ...SOURCES(CM('e')) }, [MAP('e', {})], 'hi'],
    [
      'without a kind are ConfigMaps',
      { systemMessage: '{{include "p/a"}}', ...SOURCES({ name: 'p' }) },
      [P],
      'A',
    ],
    [
      'may have an alias with a slash',
      { systemMessage: '{{include "x/y/a"}}', ...SOURCES(CM('p', 'x/y')) },
      [P],
      'A',
    ],
    [
      'of kind Secret are read from Secrets',
      { systemMessage: '{{include "p/a"}}', ...SOURCES({ kind: 'Secret', name: 'p' }) },
      [P, SECRET('p', { a: 'secret A' })],
      'secret A',
    ],
    ['may be twenty', { systemMessage: '{{include "x19/b"}}', ...SOURCES(...twenty(20)) }, [P], 'B'],
    [
      'are found by any text',
      { systemMessage: '{{include (printf "%s/%s" "p" "a")}}{{"p/b" | include}}', ...SOURCES(CM('p')) },
      [P],
      'AB',
    ],
    [
      'that the message is from may be its sources',
      { systemMessageFrom: { type: 'ConfigMap', name: 'q', key: 'c' }, ...SOURCES(CM('p')) },
      [P, MAP('q', { c: '[{{include "p/a"}}]' })],
      '[A]',
    ],
  ])('%s', (_what, declarative, objects, text) => {
    expect(resolveText(declarative, objects)).toBe(text);
  });

  test.each<[what: string, declarative: object, objects: object[], code: string, message: string]>([
    [
      'with an alias do not answer to their name',
      { systemMessage: '{{include "p/a"}}', ...SOURCES(CM('p', 'x')) },
      [P],
      'E_TEMPLATE_EXEC',
      'failed to execute system message template: template: systemMessage:1:2: executing "systemMessage" at <include "p/a">: error calling include: prompt template "p/a" not found in promptSources, available: [x/a x/b]',
    ],
    [
      'of one alias with one key, the first in order of keys',
      { systemMessage: '', systemMessageFrom: undefined, ...SOURCES(CM('p', 'x'), CM('q', 'x')) },
      [P, Q],
      'E_SOURCE',
      'duplicate prompt template identifier "x/a" from prompt source "q" (kind="ConfigMap", apiGroup="")',
    ],
    [
      'that are not there',
      { systemMessage: 'hi', ...SOURCES(CM('nowhere')) },
      [P],
      'E_SOURCE',
      'failed to resolve prompt source "nowhere": failed to find ConfigMap default/nowhere: configmaps "nowhere" not found',
    ],
    [
      'in another namespace',
      { systemMessage: 'hi', ...SOURCES(CM('p')) },
      [{ ...P, metadata: { name: 'p', namespace: 'other' } }],
      'E_SOURCE',
      'failed to resolve prompt source "p": failed to find ConfigMap default/p: configmaps "p" not found. There is one in namespace other, but references look only in the namespace of the Agent',
    ],
    [
      'of kind Secret that are ConfigMaps',
      { systemMessage: 'hi', ...SOURCES({ kind: 'Secret', name: 'p' }) },
      [P],
      'E_SOURCE',
      'failed to resolve prompt source "p": failed to find Secret default/p: secrets "p" not found. There is a ConfigMap of that name',
    ],
    [
      'of an unknown kind',
      { systemMessage: 'hi', ...SOURCES({ kind: 'PromptLibrary', apiGroup: 'kagent.dev', name: 'p' }) },
      [P],
      'E_SOURCE',
      'failed to resolve prompt source "p": kind "PromptLibrary", apiGroup "kagent.dev" is not a ConfigMap or a Secret of the core API group',
    ],
    [
      'with binary data are not included',
      { systemMessage: '{{include "b/z"}}', ...SOURCES(CM('b')) },
      [MAP('b', { a: '' }, { binaryData: { z: 'aGk=' } })],
      'E_TEMPLATE_EXEC',
      'failed to execute system message template: template: systemMessage:1:2: executing "systemMessage" at <include "b/z">: error calling include: prompt template "b/z" not found in promptSources, available: [b/a]',
    ],
  ])('are refused: %s', (_what, declarative, objects, code, message) => {
    const own =
      'systemMessage' in declarative && declarative.systemMessage === ''
        ? { ...declarative, systemMessage: 'x' }
        : declarative;
    const resolved = resolve(own, objects);
    expect(resolved.ok ? resolved.text : [resolved.diagnostic.code, resolved.diagnostic.message]).toEqual([
      code,
      message,
    ]);
  });

  test('of more than twenty are refused', () => {
    const read = manifests({ systemMessage: 'x', ...SOURCES(...twenty(21)) }, [P]);
    expect(read.agents.size).toBe(0);
    expect(read.problems[0]?.diagnostic).toMatchObject({
      code: 'E_MANIFEST',
      message: 'spec.declarative.promptTemplate.dataSources: at most 20 sources',
    });
  });
});

describe('the message', () => {
  const CMREF = (key: string, name = 'm', type = 'ConfigMap') => ({ systemMessageFrom: { type, name, key } });

  test.each<[what: string, declarative: object, objects: object[], text: string]>([
    ['is literal without promptTemplate', { systemMessage: 'a {{.X}} {{' }, [], 'a {{.X}} {{'],
    ['is literal with promptTemplate null', { systemMessage: '{{.X}}', promptTemplate: null }, [], '{{.X}}'],
    [
      'is a template with an empty promptTemplate',
      { systemMessage: '{{.AgentName}}', promptTemplate: {} },
      [],
      'a',
    ],
    ['is a template with no sources', { systemMessage: '{{.AgentName}}', ...SOURCES() }, [], 'a'],
    ['may come from a ConfigMap', CMREF('k'), [MAP('m', { k: '{{.X}}' })], '{{.X}}'],
    ['may come from a Secret', CMREF('k', 'm', 'Secret'), [SECRET('m', { k: 'S' })], 'S'],
    [
      'from elsewhere is a template too',
      { ...CMREF('k'), ...SOURCES() },
      [MAP('m', { k: '{{.AgentName}}' })],
      'a',
    ],
    [
      'is never parsed twice',
      { systemMessage: '{{include "p/a"}} ok', ...SOURCES(CM('p')) },
      [MAP('p', { a: 'Hello, {{.AgentName}}!' })],
      'Hello, {{.AgentName}}! ok',
    ],
    [
      'trims itself and never an include',
      { systemMessage: '{{ include "p/a" -}}\n\n x', ...SOURCES(CM('p')) },
      [MAP('p', { a: 'A\n\n' })],
      'A\n\nx',
    ],
    [
      'does not mind what is not executed',
      { systemMessage: '{{if false}}{{include "nope"}}{{end}}{{and false (include "nope")}}', ...SOURCES() },
      [],
      'false',
    ],
  ])('%s', (_what, declarative, objects, text) => {
    expect(resolveText(declarative, objects)).toBe(text);
  });

  test.each<[what: string, declarative: object, objects: object[], message: string]>([
    [
      'that is not there',
      {},
      [],
      'at least one system message source (SystemMessage or SystemMessageFrom) must be specified',
    ],
    [
      'that is there twice',
      { systemMessage: 'x', ...CMREF('k') },
      [MAP('m', { k: 'y' })],
      'systemMessage and systemMessageFrom are mutually exclusive',
    ],
    [
      'from no such ConfigMap',
      CMREF('k'),
      [],
      'failed to find ConfigMap default/m: configmaps "m" not found',
    ],
    ['from no such key', CMREF('z'), [MAP('m', { k: 'y' })], 'key z not found in ConfigMap default/m'],
    [
      'from no such Secret',
      CMREF('k', 'm', 'Secret'),
      [],
      'failed to find Secret default/m: secrets "m" not found',
    ],
    [
      'from bytes',
      CMREF('z'),
      [MAP('m', {}, { binaryData: { z: 'aGk=' } })],
      'key z not found in ConfigMap default/m. The key is there, but it is binary data',
    ],
    ['from an unknown type', CMREF('k', 'm', 'Vault'), [], 'unknown value source type: Vault'],
  ])('is refused: %s', (_what, declarative, objects, message) => {
    const resolved = resolve(declarative, objects);
    expect(resolved.ok ? resolved.text : resolved.diagnostic).toMatchObject({
      code: 'E_SYSTEM_MESSAGE',
      message,
    });
  });
});

describe('variables', () => {
  const mcp = (toolNames?: string[]) => ({
    type: 'McpServer',
    mcpServer: { name: 's', ...(toolNames ? { toolNames } : {}) },
  });

  test.each<[template: string, spec: object, tools: object[], text: string]>([
    ['{{.AgentName}} {{.AgentNamespace}} {{.Description}}', { description: 'D' }, [], 'a default D'],
    ['[{{.Description}}]', {}, [], '[]'],
    ['{{.ToolNames}}|{{.SkillNames}}|{{len .SkillNames}}', {}, [mcp(['x', 'y'])], '[x y]|[]|0'],
    [
      '{{.ToolNames}}',
      {},
      [mcp(['b']), mcp(), { type: 'Agent', agent: { name: 'z' } }, mcp(['a', 'b'])],
      '[b a b]',
    ],
    ['{{eq nil .SkillNames}}', {}, [], 'true'],
    [
      '{{range $i, $t := .ToolNames}}{{if $i}}, {{end}}{{$i}}={{$t}}{{end}}',
      {},
      [mcp(['p', 'q'])],
      '0=p, 1=q',
    ],
    [
      '{{range .SkillNames}}<{{.}}>{{else}}none{{end}}',
      { skills: { refs: ['r/x:1', 'r/y@sha256:0'] } },
      [],
      '<x><y>',
    ],
    ['{{.}}', { description: 'D' }, [mcp(['t'])], '{a default D [t] []}'],
  ])('%j', (systemMessage, spec, tools, text) => {
    expect(resolveText({ systemMessage, tools, ...SOURCES() }, [], spec)).toBe(text);
  });

  test.each([
    [
      'x{{.Nope}}y',
      'E_TEMPLATE_EXEC',
      `failed to execute system message template: template: systemMessage:1:3: executing "systemMessage" at <.Nope>: can't evaluate field Nope in type agent.PromptTemplateContext`,
    ],
    [
      '{{upper .AgentName}}',
      'E_TEMPLATE_PARSE',
      'failed to parse system message template: template: systemMessage:1: function "upper" not defined',
    ],
    [
      '{{invalid syntax',
      'E_TEMPLATE_PARSE',
      'failed to parse system message template: template: systemMessage:1: function "invalid" not defined',
    ],
    [
      '{{include 3}}',
      'E_TEMPLATE_EXEC',
      'failed to execute system message template: template: systemMessage:1:10: executing "systemMessage" at <3>: expected string; found 3',
    ],
  ])('%j is refused in the words of Go', (systemMessage, code, message) => {
    const resolved = resolve({ systemMessage, ...SOURCES() });
    expect(resolved.ok ? resolved.text : resolved.diagnostic).toMatchObject({ code, message });
  });

  test('a template that runs away ends', () => {
    for (const systemMessage of [
      '{{range 9223372036854775807}}{{end}}',
      '{{range 10000000}}aaaaaaaaaa{{end}}',
    ]) {
      const resolved = resolve({ systemMessage, ...SOURCES() });
      expect(resolved.ok ? 'ended well' : resolved.diagnostic.code).toBe('E_TEMPLATE_LIMIT');
    }
  });
});

test('an Agent names what it depends on, each once', () => {
  const agent = agentOf({
    systemMessageFrom: { type: 'Secret', name: 'm', key: 'k' },
    ...SOURCES(
      CM('p'),
      CM('p', 'x'),
      { name: 'q' },
      { kind: 'Secret', name: 'p' },
      { kind: 'Vault', name: 'v' },
    ),
  });
  expect(referencesOf(agent)).toEqual([
    { kind: 'Secret', namespace: 'default', name: 'm' },
    { kind: 'ConfigMap', namespace: 'default', name: 'p' },
    { kind: 'ConfigMap', namespace: 'default', name: 'q' },
    { kind: 'Secret', namespace: 'default', name: 'p' },
  ]);
});
