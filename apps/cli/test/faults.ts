import { WORKFLOW_TEMPLATE } from '../src/init/workflow/template.js';

export type Files = Readonly<Record<string, string>>;

/** A fault that stands for itself: how it is planted, and what is told of it. */
export interface Fault {
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
  readonly code: string;
  readonly told: RegExp;
  /** Where it is told, if not in the file that it is planted in. */
  readonly at?: string;
}

const SHEET = `title: Desk
inputs:
  x: { trust: user, secrecy: public, volatility: turn }
  y: { trust: external, secrecy: public, volatility: turn }
blocks:
  - name: one
    role: system
    parts:
      - text: Be kind.
      - include: tone
      - include: house
  - name: two
    role: user
    parts:
      - input: x
      - input: y
`;

const AGENT = `apiVersion: kagent.dev/v1alpha2
kind: Agent
metadata: { name: helper }
spec:
  description: Helps
  declarative:
    systemMessage: |
      I am {{.AgentName}}.
      {{include "p/a"}}
    promptTemplate:
      dataSources:
        - { kind: ConfigMap, name: prompts, alias: p }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: prompts }
data:
  a: Be brief.
`;

const TEAM = `goal: Write it down.
mode: INTERACTIVE
nodes:
  - { alias: Lead, role: planner }
  - { alias: Hand, role: planner }
edges:
  - { from: Lead, to: Hand }
`;

const ROLE = `[template]
name = "tester"
version = "1"
capabilities = []
constraints = []

Try it.
`;

export const BASE: Files = {
  ...WORKFLOW_TEMPLATE,
  'cuebook.yaml': 'names: [quiet-host]\nworkflow:\n  maxTurns: 3\nprovider: rehearsal\n',
  'sheets/desk.yaml': SHEET,
  'texts/house.md': 'The house is open.\n',
  'texts/tone.yaml': 'parts:\n  - text: "Calm.\\n"\n',
  'manifests/m.yaml': AGENT,
  'team.yaml': TEAM,
  'docs/templates/tester.md': ROLE,
};

const S = 'sheets/desk.yaml';
const T = 'texts/tone.yaml';
const M = 'manifests/m.yaml';
const C = 'cuebook.yaml';
const W = 'workflows/request';
const MORE_PARTS = /(- include: tone\n)/;
export const KEY = `sk-ant-api03-${'x9Z'.repeat(31)}-AA`;

const R = 'docs/templates/tester.md';

export const FAULTS: readonly Fault[] = [
  { file: R, from: 'constraints = []', to: 'constraints = 3', code: 'E_ROLE', told: /constraints/ },
  { file: R, from: 'version = "1"', to: 'version = 1', code: 'E_ROLE', told: /version/ },
  { file: R, from: 'Try it.', to: 'Try {{it}}.', code: 'W_PLACEHOLDER', told: /it/ },
  { file: R, from: /$/, to: `Use ${KEY}\n`, code: 'W_REDACTED', told: /credential/ },
  { file: S, from: 'title:', to: 'titel:', code: 'E_SHEET', told: /"titel"/ },
  { file: S, from: /^/, to: 'colour: red\n', code: 'E_SHEET', told: /"colour"/ },
  { file: S, from: /^/, to: 'size: 3\n', code: 'E_SHEET', told: /"size"/ },
  {
    file: S,
    from: 'volatility: turn }\n  y',
    to: 'since: 1 }\n  y',
    code: 'E_SHEET',
    told: /inputs\.x\.volatility/,
  },
  { file: S, from: 'trust: external', to: 'trust: nobody', code: 'E_SHEET', told: /inputs\.y\.trust/ },
  { file: S, from: 'role: user', to: 'role: usr', code: 'E_SHEET', told: /blocks\[1\]\.role/ },
  { file: S, from: MORE_PARTS, to: '$1      - include: nope\n', code: 'E_INCLUDE_UNKNOWN', told: /"nope"/ },
  { file: S, from: MORE_PARTS, to: '$1      - input: zed\n', code: 'E_SHEET_INPUT', told: /"zed"/ },
  { file: S, from: MORE_PARTS, to: '$1      - input: x\n', code: 'E_TRUST_IN_SYSTEM', told: /"x"/ },
  { file: S, from: MORE_PARTS, to: '$1      - 7\n', code: 'E_SHEET', told: /a part is/ },
  {
    file: S,
    from: MORE_PARTS,
    to: '$1      - text: "\\ud800"\n',
    code: 'E_NOT_UNICODE',
    told: /half a character/,
  },
  {
    file: S,
    from: MORE_PARTS,
    to: '$1      - text: "Hello {{guest}}."\n',
    code: 'W_PLACEHOLDER',
    told: /guest/,
  },
  { file: S, from: MORE_PARTS, to: `$1      - text: "Key ${KEY}"\n`, code: 'W_REDACTED', told: /credential/ },
  { file: S, from: MORE_PARTS, to: '$1      - text: "a\\u202eb"\n', code: 'W_HIDDEN_TEXT', told: /202E/ },
  {
    file: S,
    from: /$/,
    to: '  - { name: one, role: user, parts: [{ text: Bye. }] }\n',
    code: 'E_DUPLICATE_BLOCK',
    told: /"one"/,
  },
  {
    file: S,
    from: /$/,
    to: '  - { name: six, role: user, parts: [{ text: "" }] }\n',
    code: 'W_SHEET_EMPTY',
    told: /"six"/,
  },
  {
    file: S,
    from: /$/,
    to: '  - { name: six, name: ten, role: user, parts: [{ text: Hm. }] }\n',
    code: 'E_SHEET',
    told: /unique/,
  },
  { file: T, from: /$/, to: '  - include: tone\n', code: 'E_INCLUDE_CYCLE', told: /tone -> tone/ },
  { file: T, from: /$/, to: '  - include: gone\n', code: 'E_INCLUDE_UNKNOWN', told: /"gone"/ },
  { file: T, from: /$/, to: '  - input: x\n', code: 'E_TRUST_IN_SYSTEM', told: /"x"/ },
  { file: T, from: /$/, to: '  - input: zed\n', code: 'E_SHEET_INPUT', told: /"zed"/ },
  { file: T, from: /^/, to: 'tone: low\n', code: 'E_SHEET', told: /"tone"/ },
  {
    file: T,
    from: /$/,
    to: '  - text: "password: correct-horse-7-staple"\n',
    code: 'W_REDACTED',
    told: /credential/,
  },
  {
    file: 'texts/house.md',
    from: /^/,
    to: '---\ntitle: House\n---\n',
    code: 'W_FRONTMATTER',
    told: /frontmatter/,
  },
  { file: 'texts/house.md', from: 'open', to: '{% if day %}', code: 'W_PLACEHOLDER', told: /if day/ },
  {
    file: M,
    from: 'AgentName}}.\n',
    to: 'AgentName}}.{{if false}}{{.Nope}}{{end}}\n',
    code: 'E_TEMPLATE_FIELD',
    told: /"Nope"/,
  },
  {
    file: M,
    from: '{{include "p/a"}}',
    to: '{{include "p/a"}}{{if false}}{{include "p/z"}}{{end}}',
    code: 'E_INCLUDE_PATH',
    told: /"p\/z"/,
  },
  {
    file: M,
    from: 'alias: p }\n',
    to: 'alias: p }\n        - { kind: ConfigMap, name: gone }\n',
    code: 'E_SOURCE',
    told: /gone/,
  },
  {
    file: M,
    from: 'description: Helps',
    to: 'description: [3]',
    code: 'E_MANIFEST',
    told: /spec\.description/,
  },
  {
    file: M,
    from: '  declarative:\n',
    to: '  declarative:\n    tools: none\n',
    code: 'E_MANIFEST',
    told: /tools/,
  },
  { file: M, from: 'a: Be brief.\n', to: 'a: Be brief.\n  b: 3\n', code: 'E_MANIFEST', told: /data\.b/ },
  { file: M, from: 'a: Be brief.\n', to: `a: Be brief. ${KEY}\n`, code: 'W_REDACTED', told: /credential/ },
  {
    file: M,
    from: /$/,
    to: '---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: prompts }\ndata: {}\n',
    code: 'E_MANIFEST_TWICE',
    told: /twice/,
  },
  {
    file: M,
    from: /$/,
    to: '---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: Bad_Name }\ndata: {}\n',
    code: 'E_MANIFEST',
    told: /metadata\.name/,
  },
  { file: 'team.yaml', from: 'mode: INTERACTIVE', to: 'mode: FAST', code: 'E_TEAM', told: /mode/ },
  { file: 'team.yaml', from: /^/, to: 'colour: red\n', code: 'E_TEAM', told: /"colour"/ },
  { file: 'team.yaml', from: 'to: Hand', to: 'to: Hnad', code: 'E_TEAM_NODE', told: /Hnad/ },
  {
    file: 'team.yaml',
    from: 'Hand, role: planner',
    to: 'Hand, role: plannr',
    code: 'E_ROLE_UNKNOWN',
    told: /plannr/,
  },
  {
    file: 'team.yaml',
    from: 'edges:',
    to: '  - { alias: lead, role: planner }\nedges:',
    code: 'E_TEAM_ALIAS',
    told: /lead/,
  },
  {
    file: 'team.yaml',
    from: 'Write it down.',
    to: `Write it down with ${KEY}`,
    code: 'W_REDACTED',
    told: /credential/,
  },
  { file: C, from: /^/, to: 'colour: red\n', code: 'E_CONFIG', told: /"colour"/ },
  { file: C, from: /^/, to: 'size: 3\n', code: 'E_CONFIG', told: /"size"/ },
  { file: C, from: 'quiet-host', to: '3', code: 'E_CONFIG', told: /names\[0\]/ },
  { file: C, from: 'maxTurns: 3', to: 'maxTurns: many', code: 'E_CONFIG', told: /maxTurns/ },
  { file: C, from: 'maxTurns: 3', to: 'maxTurn: 3', code: 'E_CONFIG', told: /"maxTurn"/ },
  { file: C, from: 'provider: rehearsal', to: 'provider: nobody', code: 'E_PROVIDER_CONFIG', told: /nobody/ },
  { file: C, from: /$/, to: 'prices: cheap\n', code: 'E_PROVIDER_CONFIG', told: /prices/ },
  { file: `${W}/bmad.json`, from: '"0.1.0"', to: '"one"', code: 'MANIFEST_INVALID', told: /version/ },
  { file: `${W}/agents.json`, from: '"Robin"', to: '3', code: 'AGENTS_INVALID', told: /metadata\.name/ },
  {
    file: `${W}/agents.json`,
    from: '"id": "planner"',
    to: '"id": "plannr"',
    code: 'ENGINE_PRECONDITION_FAILED',
    told: /planner/,
    at: `${W}/workflow.graph.json`,
  },
  {
    file: `${W}/workflow.graph.json`,
    from: '"type": "decision"',
    to: '"colour": "red",\n      "type": "decision"',
    code: 'GRAPH_SCHEMA_INVALID',
    told: /"colour"/,
  },
  {
    file: `${W}/workflow.graph.json`,
    from: '"to": "plan"',
    to: '"to": "plna"',
    code: 'GRAPH_INTEGRITY_INVALID',
    told: /plna/,
  },
  {
    file: `${W}/steps/answer.md`,
    from: 'nodeId: answer',
    to: 'nodeId: answr',
    code: 'GRAPH_INTEGRITY_INVALID',
    told: /answr/,
  },
  {
    file: `${W}/steps/answer.md`,
    from: /^---\n/,
    to: '---\ntransitions: no\n',
    code: 'E_INVALID_FRONTMATTER',
    told: /transitions/,
  },
];

const P = 'agents/prompts/clerk.ts';
const A = 'agents/agents/desk.ts';

/** The same for definitions, whose check starts a process. */
export const DEFINITIONS: Files = {
  'agents/models/fast.ts': "export default { name: 'fast', provider: 'rehearsal', model: 'x' };\n",
  'agents/tools/find.ts':
    "export default {\n  description: 'Finds.',\n  execute: () => ({ status: 'success', result: '' }),\n};\n",
  [P]: "const quotes = /[\"'`{]/;\nexport default {\n  name: 'clerk',\n  toolDescription: 'Clerk',\n  model: 'fast',\n  tools: ['find'],\n  prompt: [\n    { type: 'text', content: 'Serve.' },\n  ],\n};\n",
  [A]: "export default {\n  name: 'desk',\n  sideA: { prompt: 'clerk' },\n};\n",
};

const PART = "'Serve.' },\n";
export const DEFINITION_FAULTS: readonly Fault[] = [
  {
    file: P,
    from: /(export default \{\n)/,
    to: '$1  toolChoice: 3,\n',
    code: 'E_DEFINITION',
    told: /toolChoice/,
  },
  {
    file: P,
    from: /(export default \{\n)/,
    to: '$1  includChat: true,\n',
    code: 'E_DEFINITION',
    told: /includeChat/,
  },
  {
    file: P,
    from: /(export default \{\n)/,
    to: '$1  colour: 1,\n',
    code: 'W_DEFINITION_KEY',
    told: /colour/,
  },
  {
    file: P,
    from: /(export default \{\n)/,
    to: "$1  hooks: ['none'],\n",
    code: 'E_NAME_UNKNOWN',
    told: /"none"/,
  },
  { file: P, from: "model: 'fast'", to: "model: 'fats'", code: 'E_NAME_UNKNOWN', told: /"fats"/ },
  { file: P, from: "['find']", to: "['find', 'gone']", code: 'E_NAME_UNKNOWN', told: /"gone"/ },
  {
    file: P,
    from: /( {2}\],\n\};)/,
    to: "    { type: 'include', prompt: 'none' },\n$1",
    code: 'E_INCLUDE_UNKNOWN',
    told: /"none"/,
  },
  {
    file: P,
    from: /( {2}\],\n\};)/,
    to: "    { type: 'include', prompt: 'clerk' },\n$1",
    code: 'E_INCLUDE_CYCLE',
    told: /clerk -> clerk/,
  },
  {
    file: P,
    from: /( {2}\],\n\};)/,
    to: "    { type: 'env', property: 'WHO' },\n$1",
    code: 'E_VARIABLE_UNKNOWN',
    told: /"WHO"/,
  },
  {
    file: P,
    from: /( {2}\],\n\};)/,
    to: "    { type: 'txt' },\n$1",
    code: 'E_DEFINITION',
    told: /a part is/,
  },
  { file: P, from: PART, to: `${PART.slice(0, -5)} {{who}}.' },\n`, code: 'W_PLACEHOLDER', told: /who/ },
  {
    file: P,
    from: /( {2}\],\n\};)/,
    to: `    { type: 'text', content: '${KEY}' },\n$1`,
    code: 'W_REDACTED',
    told: /credential/,
  },
  { file: A, from: "'clerk' }", to: "'clerk', stopTool: 'stop' }", code: 'E_AGENT', told: /stopTool/ },
  {
    file: A,
    from: "  name: 'desk',\n",
    to: "  name: 'desk', type: 'odd',\n",
    code: 'E_DEFINITION',
    told: /type/,
  },
  { file: A, from: /(\};\n)$/, to: '  exposeAsTool: true,\n$1', code: 'E_AGENT', told: /toolDescription/ },
  { file: 'agents/tools/find.ts', from: "'Finds.'", to: '3', code: 'E_DEFINITION', told: /description/ },
  {
    file: 'agents/models/fast.ts',
    from: "model: 'x'",
    to: "model: 'x', fallbacks: ['slow']",
    code: 'E_NAME_UNKNOWN',
    told: /"slow"/,
  },
];
