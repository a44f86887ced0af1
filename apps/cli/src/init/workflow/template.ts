import { commandLine } from '@cuebook/prompt/hint';
import { REHEARSAL } from './rehearsal.js';
import { STEPS } from './steps.js';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const persona = (role: string, identity: string, principles: readonly string[]) => ({
  role,
  identity,
  communication_style: 'Plain sentences, no jargon',
  principles,
});

const edge = (from: string, to: string, label: string, more: object = {}) => ({ from, to, label, ...more });
const node = (id: string, type: string, more: object = {}) => ({ id, type, file: `steps/${id}.md`, ...more });

const GRAPH = {
  schemaVersion: '1.1',
  entryNodeId: 'intake',
  nodes: [
    node('intake', 'step', { title: 'Take in the request', outputs: ['artifacts/request.md'] }),
    node('decide', 'decision', { title: 'Small or large', inputs: ['artifacts/request.md'] }),
    node('answer', 'step', { title: 'Answer at once', outputs: ['artifacts/answer.md'] }),
    node('plan', 'step', { title: 'Write a plan', agentId: 'planner', outputs: ['artifacts/plan.md'] }),
    node('close', 'end', { title: 'Sum up', outputs: ['artifacts/summary.md'] }),
  ],
  edges: [
    edge('intake', 'decide', 'next'),
    edge('decide', 'answer', 'small', { conditionText: "variables.size == 'small'" }),
    edge('decide', 'plan', 'large', { isDefault: true }),
    edge('answer', 'close', 'next'),
    edge('plan', 'close', 'next'),
  ],
};

const AGENTS = {
  schemaVersion: '1.1',
  agents: [
    {
      id: 'clerk',
      metadata: { name: 'Robin', title: 'Clerk', icon: '📋' },
      persona: persona('Takes in requests and keeps the record', 'Has run a front desk for years', [
        'Write down what was asked, not what was meant',
        'Ask when two readings are possible',
      ]),
      tools: { fs: { maxReadBytes: 100_000 } },
    },
    {
      id: 'planner',
      metadata: { name: 'Sam', title: 'Planner', icon: '🗺️' },
      persona: persona('Turns a request into steps', 'Has planned large and small work', [
        'No step without a result that can be seen',
      ]),
    },
  ],
};

/**
 * What `cuebook init --workflow` writes, by path: a workflow of five steps (intake, a decision, two branches, an
 * end) that leaves artifacts, and a script that plays it without a model.
 */
export const WORKFLOW_TEMPLATE: Readonly<Record<string, string>> = {
  'cuebook.yaml': `# What is private about this project, beside what Cuebook knows of the machine it runs on.
roots: {}
private: []
names: []
public: []

# What the agents of workflows may do. This is what holds without a word; they cannot change this file.
# workflow:
#   tools:
#     fs: { enabled: true, maxReadBytes: 524288, maxWriteBytes: 2097152 }
#     mcp: { enabled: false }
#     terminal: { enabled: false }
`,
  'workflows/request/bmad.json': json({
    schemaVersion: '1.1',
    name: 'request',
    version: '0.1.0',
    entry: { workflow: 'workflow.md', graph: 'workflow.graph.json', agents: 'agents.json' },
    workflows: [{ id: 'request', workflow: 'workflow.md', graph: 'workflow.graph.json' }],
  }),
  'workflows/request/agents.json': json(AGENTS),
  'workflows/request/workflow.graph.json': json(GRAPH),
  'workflows/request/workflow.md': `# Handle a request

A request is taken in, judged small or large, answered or planned, and summed up.
Everything that is made lies under \`artifacts/\` of the project.
`,
  ...Object.fromEntries(
    Object.entries(STEPS).map(([id, text]) => [`workflows/request/steps/${id}.md`, text]),
  ),
  'rehearsal.yaml': REHEARSAL,
  'README.md': `# Requests

One workflow, \`workflows/request\`: a request is taken in, judged, answered or planned, and summed up.

    ${commandLine`check`}                                       every problem at once
    ${commandLine`run workflow:workflows/request --script rehearsal.yaml`}
                                                        the whole workflow, without a model; see artifacts/
    ${commandLine`run workflow:workflows/request --provider anthropic --input "When are you open?"`}
    ${commandLine`render workflow:workflows/request`}           the first turn, exactly as it is sent
    ${commandLine`render workflow:workflows/request --mode chat --input "Hello"`}
    ${commandLine`explain workflow:workflows/request --at 1:1`}

- \`bmad.json\` names the parts of the package
- \`workflow.graph.json\` says which step may follow which
- \`agents.json\` says who does the work, and what they may do
- \`steps/\` holds the instructions; agents read them when they get there
- \`rehearsal.yaml\` plays the whole workflow without a model
`,
  '.gitignore': `.cuebook/
`,
};
