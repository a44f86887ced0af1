import { composeStep, type LiveProject, openLiveProject } from '@cuebook/define';
import { memorySource } from '@cuebook/files';
import { createRedactor, type JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { agent, desk, prompt } from '../../test/project.js';
import { answer, START, simulate } from '../../test/simulated.js';
import type { Frame } from '../run/frame.js';
import type { StepCall, StepTool } from '../run/outcome.js';
import { ROOT } from '../run/state.js';
import { checkCall } from './check-call.js';
import type { DriveParts } from './parts.js';

/** What a schema has, and how it is written with zod. */
interface Field {
  readonly name: string;
  readonly zod: string;
  readonly values: readonly JsonValue[];
  readonly wrong: JsonValue;
  readonly presence: 'needed' | 'optional' | 'default';
}

const KINDS: readonly Omit<Field, 'name' | 'presence'>[] = [
  { zod: 'z.string()', values: ['one', 'two words\nand a line', '{"a":1}', ''], wrong: 7 },
  { zod: 'z.number()', values: [0, -1.5, 42], wrong: 'seven' },
  { zod: 'z.boolean()', values: [true, false], wrong: 'yes' },
  { zod: 'z.array(z.string())', values: [[], ['a'], ['a', 'b']], wrong: { a: 1 } },
  { zod: 'z.object({ deep: z.number() })', values: [{ deep: 3 }], wrong: { deep: 'x' } },
];
const NAMES = ['query', 'message', 'name', 'agent', 'arguments', 'limit', 'a b', 'toString'];

const field = (name: string): fc.Arbitrary<Field> =>
  fc
    .record({
      kind: fc.constantFrom(...KINDS),
      presence: fc.constantFrom('needed', 'needed', 'optional', 'default'),
    })
    .map(({ kind, presence }) => ({ name, presence: presence as Field['presence'], ...kind }));

const schema = fc
  .subarray(NAMES, { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map(field)) as fc.Arbitrary<readonly Field[]>);

interface Plan {
  readonly fields: readonly Field[];
  /** The argument that is the first message. */
  readonly said: string | undefined;
  readonly named: string | undefined;
  readonly receives: 'side_a' | 'side_b';
}

const plan: fc.Arbitrary<Plan> = schema.chain((fields) => {
  const names = fields.map(({ name }) => name);
  const texts = fields.filter(({ zod }) => zod === 'z.string()').map(({ name }) => name);
  return fc.record({
    fields: fc.constant(fields),
    said: fc.constantFrom(undefined, ...names),
    named: fc.constantFrom(undefined, ...texts),
    receives: fc.constantFrom('side_a', 'side_b'),
  }) as fc.Arbitrary<Plan>;
});

const PLANS = fc.sample(plan, { numRuns: 24, seed: 11 });

const written = ({ zod, presence, values }: Field): string =>
  presence === 'needed'
    ? zod
    : presence === 'optional'
      ? `${zod}.optional()`
      : `${zod}.default(${JSON.stringify(values[0])})`;

function filesOf({ fields, said, named, receives }: Plan, index: number): Readonly<Record<string, string>> {
  const shape = fields.map((each) => `${JSON.stringify(each.name)}: ${written(each)}`).join(', ');
  const init = said === undefined ? '' : `initUserMessageProperty: ${JSON.stringify(said)},`;
  const name = named === undefined ? '' : `initAgentNameProperty: ${JSON.stringify(named)},`;
  const heard = `callee_${index}`;
  const sides =
    receives === 'side_a'
      ? `sideA: { prompt: '${heard}' }, sideB: { prompt: 'side' }`
      : `sideA: { prompt: 'side' }, sideB: { prompt: '${heard}' }`;
  const exposed = "exposeAsTool: true, toolDescription: 'Works', maxSessionTurns: 2,";
  return {
    [`prompts/${heard}.ts`]: prompt(heard, `requiredSchema: z.object({ ${shape} }),`),
    [`agents/dual_${index}.ts`]: agent(
      `dual_${index}`,
      `type: 'dual_ai', ${exposed} sideA: { prompt: '${heard}' }, sideB: { prompt: 'side' }`,
    ),
    [`agents/many_${index}.ts`]: agent(`many_${index}`, `type: 'dual_ai', ${exposed} ${sides}`),
    [`agents/human_${index}.ts`]: agent(
      `human_${index}`,
      `exposeAsTool: true, toolDescription: 'Helps', sideA: { prompt: '${heard}' }`,
    ),
    [`prompts/by_${index}.ts`]: prompt(
      `by_${index}`,
      `tools: ['plain', 'bare', { name: '${heard}', ${init} }, { name: 'dual_${index}', ${init} ${name} }, { name: 'human_${index}', ${init} },
        { name: 'many_${index}', ${init} ${name} resumable: { receives_messages: '${receives}' } }],`,
    ),
  };
}

let live: LiveProject;
beforeAll(async () => {
  const files = Object.assign(
    {},
    desk(),
    {
      'prompts/side.ts': prompt('side'),
      'prompts/bare.ts': prompt('bare'),
      'agents/plain.ts': agent(
        'plain',
        "type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', sideA: { prompt: 'side' }, sideB: { prompt: 'side' }",
      ),
    },
    ...PLANS.map((each, index) => filesOf(each, index)),
  ) as Readonly<Record<string, string>>;
  const source = memorySource(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`agents/${path}`, text])),
  );
  if (!source.ok) throw new Error(source.error.code);
  live = await openLiveProject(source.value, { limits: { fileMs: 60_000 } });
  expect(live.catalog.diagnostics).toEqual([]);
});
afterAll(() => live.close());

const redactor = createRedactor({ roots: [], private: [], names: [] });

/** A call as the driver looks at it, with what the request really told. */
async function check(index: number, name: string, input: JsonValue): Promise<StepCall> {
  const { catalog } = live;
  const by = catalog.prompts.get(`by_${index}`);
  if (by === undefined) throw new Error('no prompt');
  const step = composeStep({ catalog, prompt: by });
  if (!step.ok) throw new Error('not composed');
  const parts = { live, files: undefined, home: undefined, store: {} } as unknown as DriveParts;
  const { bindings } = step.value;
  const call = { id: 'given-0', name, input };
  return checkCall(parts, { call, bindings, reader: { prompt: by, agent: undefined }, redactor });
}

/** The conversation that a call opens, or hands over. */
function opened(call: StepCall): Frame {
  const sim = simulate(live.catalog);
  sim.submit(START);
  const does: StepTool['does'] = call.opening?.does ?? 'function';
  const tools = [{ name: call.name, does, idempotent: false, parallel: true }];
  sim.settle(sim.open[0] as never, answer({ calls: [call], tools }));
  const frames = Object.values(sim.state.frames);
  const frame = does === 'handoff' ? frames.find(({ id }) => id === ROOT) : frames.at(-1);
  if (frame === undefined) throw new Error('nothing opened');
  return frame;
}

/** What the child was told, back as arguments. */
function heardBy({ messages }: Frame, said: string | undefined): Readonly<Record<string, JsonValue>> {
  const told = messages.filter(({ from }) => from === 'parent').map(({ text }) => text);
  const more = told.find((text) => text.startsWith('Arguments: '))?.slice('Arguments: '.length);
  const first = told.find((text) => !text.startsWith('Arguments: ')) ?? '{}';
  if (said === undefined) return { ...JSON.parse(first), ...JSON.parse(more ?? '{}') };
  return { [said]: first, ...JSON.parse(more ?? '{}') };
}

/** The same, where a value that is no text was told as JSON. */
const asText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const argsOf = (fields: readonly Field[]): fc.Arbitrary<Readonly<Record<string, JsonValue>>> =>
  fc
    .tuple(
      ...fields.map(({ values, presence }) =>
        fc.record({
          there: presence === 'needed' ? fc.constant(true) : fc.boolean(),
          value: fc.constantFrom(...values),
        }),
      ),
    )
    .map((made) =>
      Object.fromEntries(
        fields.flatMap(({ name }, at) => (made[at]?.there ? [[name, made[at]?.value as JsonValue]] : [])),
      ),
    );

const parsedOf = (fields: readonly Field[], args: Readonly<Record<string, JsonValue>>) =>
  Object.fromEntries(
    fields.flatMap(({ name, presence, values }) =>
      Object.hasOwn(args, name)
        ? [[name, args[name] as JsonValue]]
        : presence === 'default'
          ? [[name, values[0] as JsonValue]]
          : [],
    ),
  );

const chosen = fc
  .nat(PLANS.length - 1)
  .chain((index) => fc.record({ index: fc.constant(index), args: argsOf((PLANS[index] as Plan).fields) }));

describe('the arguments of a call', () => {
  it.each(['callee', 'dual', 'human'])(
    '%s: for all schemas and arguments, the child is told every one of them',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(chosen, async ({ index, args }) => {
          const { fields, said } = PLANS[index] as Plan;
          const call = await check(index, `${kind}_${index}`, args);
          expect(call.problem).toBeUndefined();
          const expected = parsedOf(fields, args);
          const frame = opened(call);
          if (Object.keys(expected).length === 0) {
            if (kind !== 'human')
              expect(frame.messages[0]).toMatchObject({ from: 'cuebook', text: 'Begin.' });
            return;
          }
          const isSaid = said !== undefined && Object.hasOwn(expected, said) && expected[said] !== '';
          const heard = heardBy(frame, isSaid ? said : undefined);
          expect(heard).toEqual(
            isSaid ? { ...expected, [said]: asText(expected[said] as JsonValue) } : expected,
          );
          expect(frame.messages.every(({ text, from }) => text !== '' || from === 'model')).toBe(true);
        }),
        runs(60, 2_000),
      );
    },
  );

  it('subagent_create: its fields and its arguments all reach the side that receives messages', async () => {
    await fc.assert(
      fc.asyncProperty(chosen, async ({ index, args }) => {
        const { fields, said, named, receives } = PLANS[index] as Plan;
        const base = { agent: `many_${index}`, name: 'Ann', message: 'Go on, please.' };
        const call = await check(index, 'subagent_create', { ...base, arguments: args });
        const isFilled = (name: string | undefined): name is string =>
          fields.some((each) => each.name === name && each.zod === 'z.string()') &&
          !Object.hasOwn(args, name as string);
        expect(call.problem).toBeUndefined();
        const frame = opened(call);
        expect(frame).toMatchObject({ name: 'Ann', side: receives === 'side_b' ? 'b' : 'a' });
        const [first, second] = frame.messages;
        expect(first).toMatchObject({ text: 'Go on, please.', side: receives === 'side_b' ? 'a' : 'b' });
        const { ...rest } = parsedOf(fields, args);
        for (const name of [said, named]) if (isFilled(name)) delete rest[name];
        if (Object.keys(rest).length === 0) expect(second).toBeUndefined();
        else expect(second?.text).toBe(`Arguments: ${JSON.stringify(rest)}`);
      }),
      runs(60, 2_000),
    );
  });

  it('for all arguments that do not fit, the problem names the argument, and nothing is opened', async () => {
    await fc.assert(
      fc.asyncProperty(
        chosen,
        fc.nat(20),
        fc.constantFrom('callee', 'dual', 'human', 'create'),
        async ({ index, args }, at, kind) => {
          const { fields } = PLANS[index] as Plan;
          const spoilt = fields[at % fields.length] as Field;
          const wrong = { ...args, [spoilt.name]: spoilt.wrong };
          const call =
            kind === 'create'
              ? await check(index, 'subagent_create', {
                  agent: `many_${index}`,
                  name: 'Ann',
                  message: 'Go.',
                  arguments: wrong,
                })
              : await check(index, `${kind}_${index}`, wrong);
          expect(call.opening).toBeUndefined();
          expect(call.problem).toContain(spoilt.name);
        },
      ),
      runs(60, 2_000),
    );
  });

  it('arguments that no schema and no setting names are refused by name', async () => {
    const call = await check(0, 'plain', { message: 'Go.', other: 1 });
    expect(call.problem).toContain('other');
    expect((await check(0, 'plain', {})).problem).toContain('message');
    expect((await check(0, 'plain', { message: 3 })).problem).toContain('message');
    expect((await check(0, 'bare', { query: 'x' })).problem).toContain('query');
    expect((await check(0, 'bare', {})).problem).toBeUndefined();
  });
});
