import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { checkProject } from '../packages/define/src/check/check-project.js';
import type { ConversationHistory } from '../packages/define/src/compose/conversation.js';
import type { Catalog } from '../packages/define/src/load/catalog.js';
import { agentShape, hookShape, modelShape, toolShape } from '../packages/define/src/shape/other-shapes.js';
import { promptShape, toolConfig } from '../packages/define/src/shape/prompt-shape.js';
import { define, load } from '../packages/define/test/project.js';
import { gate, step } from '../packages/define/test/step.js';
import { createApiProvider } from '../packages/provider/src/api/provider.js';
import { play, redactor } from '../packages/provider/test/play.js';
import { MODELS } from '../packages/provider/test/shapes.js';
import { modelFetch } from './model-server/index.js';
import { inTurn } from './runs.js';

/** Every field of a shape, as a path: `prompt.reasoning.effort`. */
function fieldsOf(schema: z.ZodType, path: string): readonly string[] {
  const def = (schema as unknown as { readonly _zod: { readonly def: Readonly<Record<string, unknown>> } })
    ._zod.def as {
    readonly type: string;
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly innerType?: z.ZodType;
    readonly element?: z.ZodType;
    readonly options?: readonly z.ZodType[];
    readonly in?: z.ZodType;
  };
  if (path === 'prompt.tools') return fieldsOf(toolConfig, 'prompt.tools[]');
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape ?? {}).flatMap(([key, value]) => {
        const inside = fieldsOf(value, `${path}.${key}`);
        return inside.length === 0 ? [`${path}.${key}`] : inside;
      });
    case 'optional':
    case 'default':
      return fieldsOf(def.innerType as z.ZodType, path);
    case 'array':
      return fieldsOf(def.element as z.ZodType, `${path}[]`);
    case 'union':
      return [...new Set((def.options ?? []).flatMap((each) => fieldsOf(each, path)))];
    default:
      return [];
  }
}

const FIELDS = [
  ...fieldsOf(modelShape, 'model'),
  ...fieldsOf(promptShape, 'prompt'),
  ...fieldsOf(toolShape, 'tool'),
  ...fieldsOf(hookShape, 'hook'),
  ...fieldsOf(agentShape, 'agent'),
];

/** What is added to one definition of the project below. */
type Change = Partial<Readonly<Record<'model' | 'prompt' | 'tool' | 'agent' | 'dual' | 'text', string>>>;

/** How a field shows: in what is told, in a diagnostic that names it, or in what is done, by a test that shows it. */
type Row =
  | { readonly told: Change; readonly than?: Change }
  | { readonly warned: Change }
  | { readonly done: string };

const CASES = '../packages/thread/test/cases';
const dual = (config: string): Change => ({ prompt: `tools: [{ name: 'pair', ${config} }],` });
const X = "{ name: 'X', type: 'text', required: false, description: '' }";

const ROWS: Readonly<Record<string, Row>> = {
  'model.name': { done: `${CASES}/tools.test.ts` },
  'model.provider': { told: { model: "provider: 'openai'," } },
  'model.model': { told: { model: "model: 'other'," } },
  'model.fallbacks': { told: { model: "fallbacks: ['slow']," } },
  'model.includedProviders[]': { warned: { model: "includedProviders: ['a']," } },
  'model.includedProviders': { warned: { model: "includedProviders: ['a']," } },
  'model.inputPrice': { done: '../packages/thread/src/drive/price.ts' },
  'model.outputPrice': { done: '../packages/thread/src/drive/price.ts' },
  'model.cachedPrice': { done: '../packages/thread/src/drive/price.ts' },
  'model.capabilities.vision': { told: { model: 'capabilities: { vision: false },' } },
  'model.capabilities.reasoning': {
    told: { model: 'capabilities: { reasoning: false },', prompt: "reasoning: { effort: 'low' }," },
    than: { prompt: "reasoning: { effort: 'low' }," },
  },
  'model.capabilities.toolCalls': {
    told: { model: 'capabilities: { toolCalls: false },', prompt: "tools: ['find']," },
    than: { prompt: "tools: ['find']," },
  },
  'model.capabilities.contextLength': { done: '../packages/thread/src/drive/condense.test.ts' },
  'model.capabilities.maxOutputTokens': { told: { model: 'capabilities: { maxOutputTokens: 77 },' } },
  'model.providerOptions': { told: { model: "providerOptions: { openai: { serviceTier: 'flex' } }," } },
  'model.providerTools': { warned: { model: "providerTools: ['search']," } },
  'prompt.name': { told: { prompt: "tools: ['helper']," } },
  'prompt.toolDescription': { told: { prompt: "tools: ['helper']," } },
  'prompt.prompt[].type': { told: { text: "[{ type: 'text', content: 'x' }]" } },
  'prompt.prompt[].content': { told: { text: "[{ type: 'text', content: 'y' }]" } },
  'prompt.prompt[].prompt': { told: { text: "[{ type: 'include', prompt: 'helper' }]" } },
  // A name of its own: a variable that one file calls a secret is one for all.
  'prompt.prompt[].property': {
    told: {
      text: "[{ type: 'env', property: 'TOLD' }]",
      prompt: `variables: [${X.replace("'X'", "'TOLD'")}], env: { TOLD: 'told' },`,
    },
  },
  'prompt.model': { told: { prompt: "model: 'slow'," } },
  'prompt.includeChat': { told: { prompt: 'includeChat: true,' } },
  'prompt.includePastTools': { told: { prompt: 'includePastTools: true,' } },
  'prompt.parallelToolCalls': { told: { prompt: 'parallelToolCalls: true,' } },
  'prompt.toolChoice': { told: { prompt: "toolChoice: 'none'," } },
  'prompt.requiredSchema': { told: { prompt: "tools: ['asked']," } },
  'prompt.tools[].name': { told: { prompt: "tools: ['find']," } },
  'prompt.tools[].env': {
    told: { prompt: "tools: [{ name: 'find', env: { X: 'a' } }]," },
    than: { prompt: "tools: ['find']," },
  },
  'prompt.tools[].options': { done: `${CASES}/tools.test.ts` },
  'prompt.tools[].approval': { done: '../packages/thread/test/servers.test.ts' },
  'prompt.tools[].includeTextResponse': { done: `${CASES}/subprompt.test.ts` },
  'prompt.tools[].includeToolCalls': { done: `${CASES}/subprompt.test.ts` },
  'prompt.tools[].includeErrors': { done: `${CASES}/subprompt.test.ts` },
  'prompt.tools[].initUserMessageProperty': { done: '../packages/thread/src/drive/opening.test.ts' },
  'prompt.tools[].initAttachmentsProperty': { done: '../packages/thread/test/attachments.test.ts' },
  'prompt.tools[].initAgentNameProperty': { done: '../packages/thread/src/drive/opening.test.ts' },
  'prompt.tools[].maxSteps': { done: `${CASES}/subprompt.test.ts` },
  'prompt.tools[].blocking': { done: `${CASES}/agents.test.ts` },
  'prompt.tools[].immediate.nameEnv': { done: `${CASES}/agents.test.ts` },
  'prompt.tools[].immediate.descriptionEnv': { done: `${CASES}/agents.test.ts` },
  'prompt.tools[].immediate.scopedEnv': { done: `${CASES}/agents.test.ts` },
  'prompt.tools[].optional': { told: dual("optional: 'NOPE'"), than: dual('') },
  'prompt.tools[].resumable.receives_messages': { done: `${CASES}/agents.test.ts` },
  'prompt.tools[].resumable.maxInstances': { done: `${CASES}/agents.test.ts` },
  'prompt.tools[].resumable.parentCommunication': { done: `${CASES}/agents.test.ts` },
  'prompt.variables[].name': { told: { prompt: `variables: [${X}],` } },
  'prompt.variables[].type': { told: { prompt: `variables: [${X.replace('text', 'secret')}],` } },
  'prompt.variables[].required': { told: { prompt: `variables: [${X.replace('false', 'true')}],` } },
  'prompt.variables[].description': { done: '../packages/thread/src/drive/compose.ts' },
  'prompt.variables[].scoped': { done: `${CASES}/environment.test.ts` },
  'prompt.env': { told: { prompt: "env: { X: 'a' }," } },
  'prompt.temperature': { told: { prompt: 'temperature: 0.2,' } },
  'prompt.maxOutputTokens': { told: { prompt: 'maxOutputTokens: 200,' } },
  'prompt.reasoning.effort': { told: { prompt: "reasoning: { effort: 'low' }," } },
  'prompt.reasoning.maxTokens': { told: { prompt: 'reasoning: { maxTokens: 3000 },' } },
  'prompt.reasoning.exclude': { done: `${CASES}/context.test.ts` },
  'prompt.reasoning.include': {
    told: { prompt: 'includeChat: true, reasoning: { include: true },' },
    than: { prompt: 'includeChat: true,' },
  },
  'prompt.recentImageThreshold': { told: { prompt: 'recentImageThreshold: 1,' } },
  'prompt.hooks': { told: { prompt: "hooks: ['h']," } },
  'tool.description': { told: { prompt: "tools: ['find']," } },
  'tool.args': {
    told: { prompt: "tools: ['find'],", tool: 'args: z.object({ q: z.string() }),' },
    than: { prompt: "tools: ['find']," },
  },
  'tool.variables[].name': {
    told: { prompt: "tools: ['find'],", tool: `variables: [${X}],` },
    than: { prompt: "tools: ['find']," },
  },
  'tool.variables[].type': {
    told: { prompt: "tools: ['find'],", tool: `variables: [${X}],` },
    than: { prompt: "tools: ['find'],", tool: `variables: [${X.replace('text', 'secret')}],` },
  },
  'tool.variables[].required': {
    told: { prompt: "tools: ['find'],", tool: `variables: [${X}],` },
    than: { prompt: "tools: ['find'],", tool: `variables: [${X.replace('false', 'true')}],` },
  },
  'tool.variables[].description': { done: '../packages/thread/src/drive/compose.ts' },
  'tool.variables[].scoped': { done: `${CASES}/environment.test.ts` },
  'tool.idempotent': { done: '../apps/cli/src/run/agent/live.test.ts' },
  'tool.approval': { done: '../packages/thread/test/approvals.test.ts' },
  'tool.execute': { done: `${CASES}/tools.test.ts` },
  'hook.hook': { done: `${CASES}/hooks.test.ts` },
  'hook.id': { done: `${CASES}/hooks.test.ts` },
  'hook.execute': { done: `${CASES}/hooks.test.ts` },
  'agent.name': { done: `${CASES}/agents.test.ts` },
  'agent.type': { done: `${CASES}/agents.test.ts` },
  'agent.maxSessionTurns': { warned: { agent: 'maxSessionTurns: 2,' } },
  'agent.exposeAsTool': { done: '../packages/define/src/check/check-project.test.ts' },
  'agent.toolDescription': { told: dual('') },
  'agent.description': { done: '../apps/cli/src/run/agent/report.ts' },
  'agent.title': { done: '../apps/cli/src/run/agent/report.ts' },
  'agent.icon': { done: '../apps/cli/src/run/agent/report.ts' },
  'agent.env': { told: { agent: "env: { X: 'a' }," } },
  'agent.variables[].name': { told: { agent: `variables: [${X}],` } },
  'agent.variables[].type': { told: { agent: `variables: [${X}],` } },
  'agent.variables[].required': { told: { agent: `variables: [${X}],` } },
  'agent.variables[].description': { done: '../packages/thread/src/drive/compose.ts' },
  'agent.variables[].scoped': { done: `${CASES}/environment.test.ts` },
  'agent.hooks': { told: { agent: "hooks: ['h']," } },
  ...Object.fromEntries(
    ['sideA', 'sideB'].flatMap((side) => [
      ...['prompt', 'stopOnResponse', 'stopTool', 'stopToolResponseProperty', 'maxSteps'].map(
        (key) => [`agent.${side}.${key}`, { done: `${CASES}/agents.test.ts` }] as const,
      ),
      ...[
        'sessionStop',
        'sessionFail',
        'sessionStatus',
        'endSessionTool',
        'failSessionTool',
        'statusTool',
      ].flatMap((key) =>
        ['name', 'messageProperty', 'attachmentsProperty'].map(
          (each) =>
            [
              `agent.${side}.${key}.${each}`,
              {
                done: `../packages/thread/src/${each === 'attachmentsProperty' ? 'drive/tool.ts' : 'run/step/results.ts'}`,
              },
            ] as const,
        ),
      ),
      [`agent.${side}.label`, { done: '../apps/cli/src/run/agent/report.ts' }] as const,
    ]),
  ),
};

/** All variants stand in one project, each with its number behind its names: it is loaded once. */
const files = (change: Change, at: number): Readonly<Record<string, string>> => {
  const numbered = (text = ''): string => text.replaceAll(/'(find|fast)'/g, `'$1_${at}'`);
  return {
    [`models/fast_${at}.ts`]: define(
      'Model',
      `name: 'fast_${at}', provider: 'rehearsal', model: 'one', ${numbered(change.model)}`,
    ),
    [`prompts/clerk_${at}.ts`]: define(
      'Prompt',
      `name: 'clerk_${at}', toolDescription: 'x', model: 'fast_${at}', prompt: ${change.text ?? "'I am clerk.'"}, ${numbered(change.prompt)}`,
    ),
    [`tools/find_${at}.ts`]: define(
      'Tool',
      `description: 'Finds', ${change.tool ?? ''} execute: () => ({ status: 'success' })`,
    ),
    [`agents/desk_${at}.ts`]: define(
      'Agent',
      `name: 'desk_${at}', sideA: { prompt: 'clerk_${at}' }, ${change.agent ?? ''}`,
    ),
  };
};

const SHARED = {
  'models/fast.ts': define('Model', "name: 'fast', provider: 'rehearsal', model: 'one'"),
  'models/slow.ts': define('Model', "name: 'slow', provider: 'rehearsal', model: 'two'"),
  'prompts/helper.ts': define(
    'Prompt',
    "name: 'helper', toolDescription: 'Helps', model: 'fast', prompt: 'I help.'",
  ),
  'prompts/asked.ts': define(
    'Prompt',
    "name: 'asked', toolDescription: 'Asks', model: 'fast', prompt: 'I ask.', requiredSchema: z.object({ q: z.string() })",
  ),
  'hooks/h.ts': define('Hook', "hook: 'filter_messages', id: 'h', execute: () => undefined"),
  'agents/pair.ts': define(
    'Agent',
    "name: 'pair', type: 'dual_ai', exposeAsTool: true, toolDescription: 'Talks', sideA: { prompt: 'helper' }, sideB: { prompt: 'helper' }",
  ),
};

/** Changes that reach the wire, each with another one. */
const WIRE: readonly Change[] = Object.values(ROWS)
  .flatMap((row) => ('told' in row ? [row.told] : []))
  .filter(({ model = '', agent = '' }) => !/^model: |serviceTier/.test(model) && agent === '');
const MIXED = WIRE.map((change, at): Change => {
  const other = WIRE[(at * 7 + 3) % WIRE.length] ?? {};
  const more = sameKeys(change.prompt, other.prompt) ? '' : (other.prompt ?? '');
  return { ...change, prompt: `${change.prompt ?? ''} ${more}` };
});

function sameKeys(a = '', b = ''): boolean {
  return [...b.matchAll(/(\w+):/g)].some(([, key]) => a.includes(`${key}:`));
}

const VARIANTS: readonly Change[] = [
  {},
  ...Object.values(ROWS).flatMap((row) =>
    'told' in row ? [row.told, row.than ?? {}] : 'warned' in row ? [row.warned] : [],
  ),
  ...MIXED,
];
const numberOf = (change: Change): number =>
  VARIANTS.findIndex((each) => JSON.stringify(each) === JSON.stringify(change));

let catalog: Catalog;
beforeAll(async () => {
  catalog = await load(Object.assign({}, SHARED, ...VARIANTS.map((change, at) => files(change, at))));
});

const call = { id: 'c1', name: 'find', args: {} };
const conversation: ConversationHistory = {
  earlier: [
    { role: 'user', text: 'old', media: [{ type: 'image/png', data: 'AAAA', name: 'cat.png' }] },
    { role: 'assistant', text: 'looking', calls: [call], reasoning: 'hm' },
    { role: 'tool', text: 'found', callId: 'c1' },
    { role: 'assistant', text: 'answer' },
  ],
  current: [
    { role: 'user', text: 'see', media: [{ type: 'image/png', data: 'AAAA', name: 'dog.png' }] },
    { role: 'user', text: 'new' },
  ],
};

/** A step of the desk as a change leaves it. */
const stepOf = (change: Change) =>
  step(catalog, `clerk_${numberOf(change)}`, { agentName: `desk_${numberOf(change)}`, conversation });

/** All that a step of the desk tells and knows. */
function told(change: Change): string {
  const { blocks, tools, params, trace, hooks, models } = stepOf(change);
  const names = models.map(({ name }) => name);
  return JSON.stringify({ blocks, tools, params, trace, hooks, names }, (key, value) =>
    key === 'origin' || key === 'at' ? undefined : value,
  ).replaceAll(`_${numberOf(change)}`, '');
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

describe('every field of every definition', () => {
  it('is in the table', () => {
    expect(FIELDS.filter((field) => ROWS[field] === undefined)).toEqual([]);
  });

  it.each(FIELDS.map((field) => [field, ROWS[field]] as const))('%s', (field, row) => {
    const name = field.split(/[.[\]]+/).findLast((each) => each !== '') ?? '';
    if (row === undefined) throw new Error('not in the table');
    if ('told' in row) expect(told(row.told)).not.toBe(told(row.than ?? {}));
    else if ('warned' in row) {
      const at = numberOf(row.warned);
      const own = checkProject(catalog).filter(({ file }) => file?.endsWith(`_${at}.ts`));
      expect(own.map(({ message }) => message).join()).toContain(name);
    } else expect(readFileSync(here(row.done), 'utf8')).toContain(name === 'execute' ? 'tool' : name);
  });
});

describe('every field, as strict servers of each vendor take it', () => {
  it.each(inTurn(Object.entries(MODELS), 4))('%s', async (api, models) => {
    for (const [at, change] of MIXED.entries()) {
      const request = gate(stepOf(change));
      if (!request.ok) throw new Error(request.error.map(({ code }) => code).join());
      const { fetch, requests } = modelFetch({ text: 'ok' });
      const provider = createApiProvider({
        api: api as never,
        apiKey: 'sk-test-0123456789',
        baseUrl: 'http://127.0.0.1:9/v1',
        fetch,
        sleep: async () => undefined,
      });
      const model = models[at % models.length] as string;
      const played = await play(provider.open({ model, redactor }), { request: request.value });
      expect([change, requests[0]?.refused, played.end.reason]).toEqual([change, undefined, 'done']);
      expect(JSON.stringify(requests[0]?.body)).not.toMatch(
        /parallelToolCalls|reasoningEffort|reasoningTokens/,
      );
    }
  });
});
