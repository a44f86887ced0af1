import type { HookKind } from '@cuebook/define';
import { type RunId, rebuildTurn } from '@cuebook/journal';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { agent, desk, hook, prompt, tool } from '../project.js';
import { openStand, type Stand } from '../stand.js';

/** What an adversary may do to a value before it is said. */
const TRICKS: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  part: (value) => value.slice(1, -1),
  upper: (value) => value.toUpperCase(),
  json: (value) => JSON.stringify({ value }),
  spaced: (value) => [...value].join(' '),
  base64: (value) => Buffer.from(value).toString('base64'),
};

const SPELL = `const value = state.env('VALUE'); const trick = state.env('TRICK');
  const spelled = { raw: value, part: value.slice(1, -1), upper: value.toUpperCase(), json: JSON.stringify({ value }),
    spaced: [...value].join(' '), base64: Buffer.from(value).toString('base64') }[trick];`;

const ON_TEXT = `${SPELL} return args[0] + '\\nMind this, always: ' + spelled;`;
const onContent = (of: string): string =>
  `${SPELL} return ${of.startsWith('[') ? `args[0].map((each) => ({ ...each, content: each.content + spelled }))` : `{ ...${of}, content: ${of}.content === null ? null : ${of}.content + spelled }`};`;

const BODIES: Readonly<Partial<Record<HookKind, string>>> = {
  after_system_message: ON_TEXT,
  filter_messages: onContent('[]'),
  prefilter_llm_history: onContent('[]'),
  before_create_message: onContent('args[0]'),
  before_update_message: onContent('args[1]'),
  before_store_tool_result: `${SPELL} return { ...args[1], result: args[1].result + spelled };`,
  after_tool_call_success: `${SPELL} return { ...args[1], result: args[1].result + spelled };`,
};
const KINDS = Object.keys(BODIES) as readonly HookKind[];

const VARIABLES =
  "variables: [{ name: 'VALUE', type: 'text', required: true, description: '' }, { name: 'TRICK', type: 'text', required: true, description: '' }],";

const project = {
  ...desk(),
  'tools/look.ts': tool("return { status: 'success', result: 'seen' };"),
  ...Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`hooks/${kind}.ts`, hook(kind, `on_${kind}`, BODIES[kind] ?? '')],
      [
        `prompts/${kind}.ts`,
        prompt(
          `p_${kind}`,
          `includeChat: true, includePastTools: true, tools: ['look'], hooks: ['on_${kind}'], ${VARIABLES}`,
          "'Serve the guest.\\nNever reveal the key.'",
        ),
      ],
      [`agents/${kind}.ts`, agent(`a_${kind}`, `sideA: { prompt: 'p_${kind}' }`)],
    ]),
  ),
};

describe('words that a hook makes', () => {
  let stand: Stand;
  let count = 0;
  beforeAll(async () => {
    const answers = Array.from({ length: 3_000 }, (_, at) =>
      at % 3 === 0 ? { text: 'Hm.', toolCalls: [{ name: 'look', args: {} }] } : { text: 'Well.' },
    );
    stand = await openStand(project, { '*': answers });
  });
  afterAll(() => stand.close());

  /** All that a thread told its model, by the record. */
  async function told(kind: HookKind, env: Readonly<Record<string, string>>) {
    count += 1;
    const run = `run_words${count}` as RunId;
    const begun = await stand.threads.start({ run, agent: `a_${kind}`, text: 'Hello.', env });
    expect(begun).toMatchObject({ ok: true });
    await stand.threads.drain();
    await stand.threads.say(run, { text: 'And?' });
    await stand.threads.drain();
    const turns = (await stand.store.read(run, { limit: 1_000 })).flatMap(({ type, data }) => {
      const { id, kind: effect } = data as { readonly id?: string; readonly kind?: string };
      return type === 'effect.intended' && effect === 'model.turn' && id !== undefined ? [id] : [];
    });
    const rebuilt = await Promise.all(turns.map((turn) => rebuildTurn(stand.store, run, turn)));
    return rebuilt.flatMap((turn) => (turn.ok ? turn.value.request.prompt.blocks : []));
  }

  it.each(KINDS)(
    '%s: for all values, however they are spelled, they are no words of the author',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: fc.constantFrom(...'qxzjQXZJ4567'), minLength: 8, maxLength: 30 }),
          fc.constantFrom(...Object.keys(TRICKS)),
          async (VALUE, TRICK) => {
            const blocks = await told(kind, { VALUE, TRICK });
            const words = TRICKS[TRICK]?.(VALUE) ?? '';
            let found = 0;
            for (const { role, text, spans } of blocks) {
              for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
                found += 1;
                expect(role).not.toBe('system');
                const covering = spans.filter(({ start, end }) => start < at + words.length && at < end);
                expect(covering.map(({ trust }) => trust)).toEqual(covering.map(() => 'tool'));
              }
            }
            expect(found).toBeGreaterThan(0);
            for (const { text, role } of blocks)
              if (role === 'system') expect(text).toMatch(/^Serve the guest\.\nNever reveal the key\./);
          },
        ),
        runs(3, 60),
      );
    },
  );

  it('what is written in the hook stays in the system text, and where it is from is on record', async () => {
    const [system, fence] = await told('after_system_message', {
      VALUE: 'the guest of room 7',
      TRICK: 'raw',
    });
    expect(system?.text).toBe(
      'Serve the guest.\nNever reveal the key.\nMind this, always: [the HOOK_WORDS 1 below]',
    );
    expect(system?.spans.map(({ origin, trust }) => [origin.ref, trust])).toEqual([
      ['agents/prompts/after_system_message.ts', 'author'],
      ['agents/prompts/after_system_message.ts', 'author'],
      ['agents/prompts/after_system_message.ts', 'author'],
      ['agents/hooks/after_system_message.ts', 'author'],
      ['cuebook:define/conversation.md', 'platform'],
      ['fence', 'platform'],
      ['cuebook:define/conversation.md', 'platform'],
    ]);
    expect(fence).toMatchObject({
      role: 'user',
      text: 'HOOK_WORDS\n- number: 1\nthe guest of room 7\nHOOK_WORDS_END',
    });
  });
});
