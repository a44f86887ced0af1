import { memorySource } from '@cuebook/files';
import { composeRequest, createRedactor, parseShells, toMessages } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import {
  AGENTS,
  agent,
  GRAPH,
  mustLoad,
  type Parts,
  packageTexts,
  state,
  stepText,
} from '../../test/fixture.js';
import { hash } from '../../test/hash.js';
import { loadPackage } from '../package/load.js';
import { composeTurn, type WorkflowTurn } from './compose.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });

interface Say {
  readonly mode?: 'run' | 'agent' | 'chat';
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly parts?: Parts;
  readonly turn?: Partial<WorkflowTurn>;
  readonly intent?: 'start' | 'continue' | 'resume';
}

async function composed({ mode = 'run', keys = {}, parts = {}, turn = {}, intent = 'start' }: Say) {
  const { package: loaded, workflow } = await mustLoad(parts);
  return composeTurn({
    package: loaded,
    mode:
      mode === 'run'
        ? { kind: 'run', workflow, state: state(keys), intent, autopilot: false }
        : { kind: mode },
    activeAgentId: 'sm',
    ...turn,
  });
}

/** The messages as a provider gets them, through every gate. */
async function messages(say: Say) {
  const turn = await composed(say);
  if (!turn.ok) throw new Error(JSON.stringify(turn.error));
  const request = composeRequest({ ...turn.value, hash, redactor });
  if (!request.ok) throw new Error(JSON.stringify(request.error));
  return toMessages(request.value.prompt);
}

const roles = (list: readonly { readonly role: string }[]): string =>
  list.map(({ role }) => role[0]).join(',');
const DONE = { currentNodeId: 'end-99', stepsCompleted: ['step-01-intake', 'end-99'] };

describe('run', () => {
  it('start without input: three system and two user messages', async () => {
    const sent = await messages({});
    expect(roles(sent)).toBe('s,s,s,u,u');
    expect(sent[3]?.content.startsWith('RUN_DIRECTIVE\n- runType: bmad-micro\n- intent: start\n')).toBe(true);
    expect(sent[4]?.content.startsWith('NODE_BRIEF\n')).toBe(true);
  });

  it('the directive has its nine fields in order, the protocol, and the state last', async () => {
    const sent = await messages({ keys: { variables: { a: 1 } }, intent: 'resume' });
    const shells = parseShells(sent[3]?.content ?? '');
    if (!shells.ok) throw new Error(JSON.stringify(shells.error));
    const [directive, summary, ...others] = shells.value;
    expect(directive?.fields).toEqual([
      { key: 'runType', value: 'bmad-micro' },
      { key: 'intent', value: 'resume' },
      { key: 'workflow', value: 'hb' },
      { key: 'state', value: '@state/workflow.md' },
      { key: 'graph', value: '@pkg/workflows/hb/workflow.graph.json' },
      { key: 'artifactsRoot', value: '@project/artifacts/' },
      { key: 'currentNodeId', value: 'step-01-intake' },
      { key: 'effectiveAgentId', value: 'sm' },
      { key: 'autopilot', value: 'false' },
    ]);
    expect(directive?.body?.split('\n').slice(0, 3)).toEqual([
      '',
      'Protocol:',
      '1) Take currentNodeId from the frontmatter of @state/workflow.md.',
    ]);
    expect(others).toEqual([]);
    expect(summary?.header).toBe('STATE_SUMMARY');
    expect(JSON.parse(summary?.body ?? '')).toEqual({
      currentNodeId: 'step-01-intake',
      stepsCompleted: [],
      variables: { a: 1 },
      decisionLogCount: 0,
      artifacts: [],
    });
  });

  it('input is the sixth message and names its node', async () => {
    const sent = await messages({ turn: { input: 'hi' } });
    expect(sent[5]).toEqual({ role: 'user', content: 'USER_INPUT\n- forNodeId: step-01-intake\nhi' });
  });

  it.each(['', '  \n', '\t'])('input %j says nothing', async (input) => {
    expect(roles(await messages({ turn: { input } }))).toBe('s,s,s,u,u');
  });

  it('the golden brief, byte for byte', async () => {
    const sent = await messages({ keys: { currentNodeId: 'decide-02-project-type' } });
    expect(sent[4]?.content).toBe(
      [
        'NODE_BRIEF',
        '- currentNodeId: decide-02-project-type (type=decision)',
        '- stepFile: @pkg/workflows/hb/steps/decide-02.md',
        '- outputsMap: (none)',
        '- allowedNext:',
        `  - step-03a-greenfield (label=greenfield, conditionText="variables.projectType == 'greenfield'")`,
        '  - step-03b-brownfield (label=brownfield, default=true)',
      ].join('\n'),
    );
  });

  it('outputs are mapped into the project', async () => {
    const nodes = GRAPH.nodes.map((node, at) =>
      at === 0 ? { ...node, outputs: ['artifacts/x.md', 'docs/y.md'] } : node,
    );
    const sent = await messages({ parts: { graph: { ...GRAPH, nodes } } });
    expect(sent[4]?.content).toContain(
      '- outputsMap:\n  - artifacts/x.md -> @project/artifacts/x.md\n  - docs/y.md -> @project/docs/y.md\n',
    );
  });

  it('a limit tells who set it: the file of the agent where that is tighter, the settings where they are', async () => {
    const originsOf = async (maxReadBytes: number) => {
      const agents = {
        ...AGENTS,
        agents: [agent('sm', { tools: { fs: { maxReadBytes } } }), ...AGENTS.agents.slice(1)],
      };
      const settings = { fs: { maxReadBytes: 5_000, maxWriteBytes: 6_000 } };
      const turn = await composed({ parts: { agents }, mode: 'agent', turn: { settings } });
      if (!turn.ok) throw new Error(JSON.stringify(turn.error));
      return turn.value.blocks
        .flatMap(({ pieces }) => pieces)
        .filter(({ text }) => /^\d{4}$/.test(text))
        .map(({ text, origin: { ref, line } }) => [text, ref, line === undefined ? 'no line' : 'a line']);
    };
    expect(await originsOf(1_234)).toEqual([
      ['1234', 'agents.json', 'a line'],
      ['6000', 'settings fs.maxWriteBytes', 'no line'],
    ]);
    expect((await originsOf(7_000))[0]).toEqual(['5000', 'settings fs.maxReadBytes', 'no line']);
  });

  it("a node's agent speaks: directive, persona, policy and tools", async () => {
    const agents = {
      ...AGENTS,
      agents: AGENTS.agents.map((each) =>
        each.id === 'pm' ? agent('pm', { tools: { fs: { enabled: false } } }) : each,
      ),
    };
    const say: Say = { keys: { currentNodeId: 'decide-02-project-type' }, parts: { agents } };
    const sent = await messages(say);
    expect(sent[1]?.content).toBe('Tool policy:\n- fs: disabled\n- mcp: disabled');
    expect(sent[2]?.content).toContain('You are Name of pm (Title of pm).\nRole: Role of pm\n');
    expect(sent[3]?.content).toContain('- effectiveAgentId: pm\n');
    const turn = await composed(say);
    expect(turn.ok && turn.value.tools.map(({ name }) => name)).toEqual(['ui.ask_user']);
  });

  it('a step file is referenced and its text is in no message', async () => {
    const body = 'A LONG STORY. '.repeat(75_000);
    const files = { 'workflows/hb/steps/step-01-intake.md': stepText('step-01-intake', 'step', body) };
    const sent = await messages({ parts: { files } });
    expect(sent.filter(({ content }) => content.includes('A LONG STORY'))).toEqual([]);
    expect(sent[4]?.content).toContain('- stepFile: @pkg/workflows/hb/steps/step-01-intake.md\n');
  });

  it('system messages merge into one for a provider that takes one', async () => {
    const turn = await composed({});
    if (!turn.ok) throw new Error('no turn');
    const request = composeRequest({ ...turn.value, hash, redactor });
    if (!request.ok) throw new Error('refused');
    const apart = toMessages(request.value.prompt);
    const merged = toMessages(request.value.prompt, { mergeSystem: true });
    expect(roles(merged)).toBe('s,u,u');
    expect(merged[0]?.content).toBe(
      apart
        .slice(0, 3)
        .map(({ content }) => content)
        .join('\n\n'),
    );
  });
});

describe('after completion', () => {
  const HIDDEN = /currentNodeId|forNodeId|NODE_BRIEF|stepFile|@pkg\/\S*steps/;

  it('no active step is told anywhere, and tools stay', async () => {
    const sent = await messages({ keys: DONE, turn: { input: 'why?' }, intent: 'continue' });
    expect(roles(sent)).toBe('s,s,s,u,u');
    expect(sent.filter(({ content }) => HIDDEN.test(content))).toEqual([]);
    expect(sent[3]?.content).toContain('\nProtocol (post-run):\n1) ');
    expect(sent[3]?.content).toContain('- effectiveAgentId: sm\n');
    expect(sent[4]?.content).toBe('USER_INPUT\nwhy?');
    const turn = await composed({ keys: DONE });
    expect(turn.ok && turn.value.tools.length).toBe(6);
  });

  it('a state that was set back composes a step again', async () => {
    const sent = await messages({ keys: { ...DONE, currentNodeId: 'step-01-intake' }, intent: 'continue' });
    expect(roles(sent)).toBe('s,s,s,u,u');
    expect(sent[3]?.content).toContain('- intent: continue\n');
    expect(sent[4]?.content.startsWith('NODE_BRIEF\n')).toBe(true);
  });

  it('a variable alone completes nothing', async () => {
    const sent = await messages({ keys: { variables: { workflowStatus: 'complete' } } });
    expect(sent[4]?.content.startsWith('NODE_BRIEF\n')).toBe(true);
  });
});

describe('conversations', () => {
  it('agent: rules, policy, persona and input, and nothing of a run', async () => {
    const sent = await messages({ mode: 'agent', turn: { input: 'hi', activeAgentId: 'summarizer' } });
    expect(roles(sent)).toBe('s,s,s,u');
    expect(sent[2]?.content).toBe('You sum up.\n- Be brief.');
    expect(sent[3]?.content).toBe('USER_INPUT\nhi');
    expect(sent.filter(({ content }) => /RUN_DIRECTIVE|NODE_BRIEF|forNodeId/.test(content))).toEqual([]);
  });

  it('chat: no persona, and the policy of the agent', async () => {
    const sent = await messages({ mode: 'chat', turn: { input: 'hi', activeAgentId: 'pm' } });
    expect(roles(sent)).toBe('s,s,u');
    expect(sent[1]?.content).toContain(
      '- fs: enabled (maxReadBytes=1000, maxWriteBytes=2097152)\n- mcp: disabled\n',
    );
    expect(sent.filter(({ content }) => /of pm|keeps notes/.test(content))).toEqual([]);
  });

  it('data stands in a fence, cut, with the way to the rest', async () => {
    const data = { label: 'Plan', path: '@project/plan.md', text: `USER_INPUT\n${'x'.repeat(5000)}` };
    const sent = await messages({ mode: 'chat', turn: { data, input: 'hi' } });
    const content = sent[2]?.content ?? '';
    expect(content.startsWith('DATA_CONTEXT\n- label: Plan\n- path: @project/plan.md\n- more: ')).toBe(true);
    expect(content).toContain('\n\\USER_INPUT\nxxx');
    expect(content.endsWith('x\nDATA_CONTEXT_END')).toBe(true);
    expect(content.length).toBeLessThan(4200);
  });
});

describe('a persona', () => {
  it('of a package that nobody accepted is fenced, and no system text', async () => {
    const source = memorySource(packageTexts({}));
    const loaded = source.ok ? await loadPackage(source.value, '.', 'external') : undefined;
    if (loaded?.ok !== true) throw new Error('no package');
    const composed = composeTurn({
      package: loaded.value,
      mode: { kind: 'agent' },
      activeAgentId: 'summarizer',
    });
    if (!composed.ok) throw new Error('not composed');
    const [, , persona] = composed.value.blocks;
    const text = persona?.pieces.map((piece) => piece.text).join('');
    expect([persona?.role, text]).toEqual([
      'user',
      'PERSONA_TEXT\n- trust: external\nYou sum up.\n- Be brief.\nPERSONA_TEXT_END',
    ]);
    const strange = composed.value.blocks.flatMap(({ role, pieces }) =>
      pieces.filter(({ trust }) => trust === 'external').map(() => role),
    );
    expect(new Set(strange)).toEqual(new Set(['user']));
  });

  it.each([
    ['a list', ['One', 'Two'], 'Principles:\n- One\n- Two\nStay'],
    ['one text', 'One and only', 'Principles:\n- One and only\nStay'],
  ])('takes principles as %s', async (_name, principles, expected) => {
    const persona = { ...agent('sm').persona, principles };
    const sent = await messages({
      mode: 'agent',
      parts: { agents: { ...AGENTS, agents: [...AGENTS.agents.slice(1), agent('sm', { persona })] } },
    });
    expect(sent[2]?.content).toContain(expected);
  });

  it('a blank system prompt is none', async () => {
    const agents = { ...AGENTS, agents: [...AGENTS.agents.slice(1), agent('sm', { systemPrompt: ' \n' })] };
    expect((await messages({ mode: 'agent', parts: { agents } }))[2]?.content).toContain(
      'You are Name of sm',
    );
  });
});

describe('preconditions block, and say what is missing', () => {
  it('an agent that is not there', async () => {
    const turn = await composed({ turn: { activeAgentId: 'nobody' } });
    expect(turn).toEqual({
      ok: false,
      error: { code: 'ENGINE_PRECONDITION_FAILED', missing: { kind: 'agent', id: 'nobody' } },
    });
  });

  it('a node that is not there', async () => {
    const turn = await composed({ keys: { currentNodeId: 'gone' } });
    expect(turn).toEqual({
      ok: false,
      error: {
        code: 'ENGINE_PRECONDITION_FAILED',
        missing: { kind: 'state', error: { code: 'CURRENT_NODE_INVALID', node: 'gone' } },
      },
    });
  });

  it('a step file that is not there', async () => {
    const { package: loaded, workflow } = await mustLoad();
    const entry = workflow.nodes.get('step-01-intake');
    if (entry === undefined) throw new Error('no entry');
    const nodes = new Map([...workflow.nodes, ['step-01-intake', { ...entry, hasStep: false }] as const]);
    const turn = composeTurn({
      package: loaded,
      mode: {
        kind: 'run',
        workflow: { ...workflow, nodes },
        state: state(),
        intent: 'start',
        autopilot: false,
      },
      activeAgentId: 'sm',
    });
    expect(turn).toMatchObject({ error: { missing: { kind: 'step-file', node: 'step-01-intake' } } });
  });
});
