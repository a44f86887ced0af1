import { describe, expect, test } from 'vitest';
import { agentOf, CM, MAP, resolve, resolveText, SECRET, SOURCES } from '../test/agents.js';
import { BUILTIN_PROMPTS } from './builtin.js';
import { parseManifests } from './read.js';
import { referencesOf, resolveAgent } from './resolve.js';

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
