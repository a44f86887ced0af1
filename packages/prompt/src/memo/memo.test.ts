import { createHash, hash as digest } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inTurn, runs } from '../../../../test/runs.js';
import { hostileText } from '../../test/hostile.js';
import { piece } from '../../test/prompts.js';
import { type BlockInput, type Form, type Piece, ROLES } from '../block.js';
import type { GrowingHash, Hash } from '../hash.js';
import { SECRECIES, TRUSTS, VOLATILITIES } from '../label.js';
import { ORIGIN_KINDS, type Origin } from '../origin.js';
import type { JsonValue } from '../redact/leak-context.js';
import { createRedactor } from '../redact/redactor.js';
import { composeRequest, type OfferedTool, type RequestInput } from '../request.js';
import { type ComposeMemo, createComposeMemo } from './memo.js';

const whole: Hash = (text) => `sha256:${digest('sha256', text)}`;
const grow = (state = createHash('sha256')): GrowingHash => ({
  add: (text) => {
    state.update(text);
  },
  copy: () => grow(state.copy()),
  read: () => `sha256:${state.copy().digest('hex')}`,
});
const growing: Hash = Object.assign((text: string) => whole(text), { begin: () => grow() });
const other: Hash = (text) => `other:${digest('sha1', text)}`;

const PASSWORD = 'correct-horse-battery-staple';
const contexts = [
  { roots: [], private: [], names: [] },
  { roots: [['@project', '/srv/desk/alpha']], private: ['/home/quinnray'], names: ['quinnray'] },
  { roots: [['@other', '/srv/desk/alpha']], private: [], names: [], credentials: [PASSWORD] },
] as const;
const redactors = contexts.map(createRedactor);
/** Cleans nothing, so that the last look has something to refuse. */
const blind = redactors.map((each) => ({ ...each, find: () => [] }));

const text = hostileText(
  PASSWORD,
  '/srv/desk/alpha/a.md',
  '/home/quinnray/x',
  'quinnray',
  '{"a":"/srv/desk/alpha"}',
  `token=${PASSWORD}`,
);
const origin: fc.Arbitrary<Origin> = fc.oneof(
  fc.record(
    {
      kind: fc.constantFrom(...ORIGIN_KINDS.filter((kind) => kind !== 'redaction')),
      ref: fc.constantFrom('a.md', 'b.md'),
      line: fc.integer({ min: 1, max: 3 }),
      subject: fc.constantFrom('s', 't'),
      via: fc.array(fc.record({ ref: fc.constantFrom('v', 'w') }), { maxLength: 2 }),
    },
    { requiredKeys: ['kind', 'ref'] },
  ),
  // The same places, spelled in another order.
  fc.constantFrom<Origin>({ ref: 'a.md', kind: 'file' }, { kind: 'file', ref: 'a.md' }),
);
const label = {
  trust: fc.constantFrom(...TRUSTS),
  secrecy: fc.oneof({ weight: 30, arbitrary: fc.constant('public' as const) }, fc.constantFrom(...SECRECIES)),
  volatility: fc.constantFrom(...VOLATILITIES),
};
const pieceOf: fc.Arbitrary<Piece> = fc.record(
  { text, origin, ...label, form: fc.constantFrom<Form>('body', 'value', 'item') },
  { requiredKeys: ['text', 'origin', 'trust', 'secrecy', 'volatility'] },
);
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const args = fc.oneof(json, text as fc.Arbitrary<JsonValue>);
const blockOf: fc.Arbitrary<BlockInput> = fc.record(
  {
    name: fc.constant(''),
    role: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('user' as const, 'assistant' as const) },
      fc.constantFrom(...ROLES),
    ),
    pieces: fc.array(pieceOf, { maxLength: 4 }),
    calls: fc.array(fc.record({ id: text, name: fc.constantFrom('f', 'g'), args }), { maxLength: 2 }),
    callId: fc.constantFrom('1', '2'),
    media: fc.array(fc.record({ type: fc.constant('image/png'), data: fc.constantFrom('AA', 'BB') }), {
      maxLength: 1,
    }),
  },
  { requiredKeys: ['name', 'role', 'pieces'] },
);
const tool: fc.Arbitrary<OfferedTool> = fc.record({ name: fc.constantFrom('f', 'g'), description: text });

/** Prompts that share blocks: each is some blocks of one pool, mostly in order, with one said otherwise. */
const history = fc
  .record({
    pool: fc.array(blockOf, { minLength: 1, maxLength: 6 }),
    tools: fc.array(fc.array(tool, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    asks: fc.array(
      fc.record({
        from: fc.nat({ max: 2 }),
        to: fc.nat({ max: 6 }),
        redactor: fc.nat(),
        hash: fc.nat(),
        memo: fc.nat({ max: 1 }),
        tools: fc.nat(),
        label: fc.record({ at: fc.nat(), ...label }),
        relabels: fc.boolean(),
      }),
      { minLength: 2, maxLength: 12 },
    ),
  })
  .map(({ pool, tools, asks }) =>
    asks.map((ask): { readonly memo: number; readonly input: RequestInput } => {
      const { at, ...labels } = ask.label;
      const all = [...redactors, ...blind];
      const blocks = pool
        .map((block, at) => ({ ...block, name: `block-${at}` }))
        .slice(ask.from, ask.to)
        .map((block, index, { length }) =>
          ask.relabels && index === at % length
            ? { ...block, pieces: block.pieces.map((each) => ({ ...each, ...labels })) }
            : structuredClone(block),
        );
      return {
        memo: ask.memo,
        input: {
          blocks,
          redactor: all[ask.redactor % all.length] as RequestInput['redactor'],
          hash: [whole, growing, growing, other][ask.hash % 4] as Hash,
          tools: tools[ask.tools % tools.length] as readonly OfferedTool[],
          params: { temperature: ask.to },
        },
      };
    }),
  );

const answer = (input: RequestInput): string => JSON.stringify(composeRequest(input));

describe('composing with a memo', () => {
  // The last two keep next to nothing.
  test.each(inTurn([undefined, 100_000, 2_000, 0]))('is composing without one (%s characters)', (maxSize) => {
    fc.assert(
      fc.property(history, (asks) => {
        const memos = [0, 1].map(() => createComposeMemo(maxSize === undefined ? {} : { maxSize }));
        for (const { memo, input } of asks) {
          const plain = answer(input);
          const kept = memos[memo] as ComposeMemo;
          expect(answer({ ...input, memo: kept })).toBe(plain);
          expect(answer({ ...input, memo: kept })).toBe(plain);
        }
      }),
      runs(150, 10_000),
    );
  });

  const block = (name: string, ...pieces: readonly Piece[]): BlockInput => ({ name, role: 'user', pieces });
  const said = (words: string): BlockInput => block('a', piece(words, { trust: 'user' }));
  const redactor = redactors[0] as RequestInput['redactor'];

  test('a secret that is known from now on is refused, or masked, where it passed before', () => {
    const memo = createComposeMemo();
    const blocks = [said(`it is ${PASSWORD}, I think`)];
    const before = composeRequest({ blocks, hash: growing, redactor, memo });
    expect(before.ok && before.value.prompt.text).toContain(PASSWORD);
    const knowing = redactors[2] as RequestInput['redactor'];
    const after = composeRequest({ blocks, hash: growing, redactor: knowing, memo });
    expect(JSON.stringify(after)).not.toContain(PASSWORD);
    const refused = composeRequest({ blocks, hash: growing, redactor: { ...knowing, find: () => [] }, memo });
    expect(refused).toMatchObject({ ok: false, error: [{ code: 'E_PROMPT_LEAK', kind: 'credential' }] });
  });

  test('tools and parameters are looked at anew for another context', () => {
    const memo = createComposeMemo();
    const tools = [{ name: 'f', description: `asks for ${PASSWORD} first` }];
    const ask = (using: RequestInput['redactor']) =>
      JSON.stringify(composeRequest({ blocks: [], tools, hash: growing, redactor: using, memo }));
    expect(ask(redactor)).toContain(PASSWORD);
    expect(ask(redactors[2] as RequestInput['redactor'])).not.toContain(PASSWORD);
  });

  test('objects that are changed after they were composed are composed as they are now', () => {
    const memo = createComposeMemo();
    const place = { kind: 'file' as const, ref: 'a.md', line: 1 };
    const pieces = [piece('one', { origin: place, trust: 'user' })];
    const calls = [{ id: '1', name: 'f', args: { path: 'a' } }];
    const tools = [{ name: 'f', description: 'one' }];
    const ask = () => ({ blocks: [{ ...block('a', ...[]), pieces, calls }], tools, hash: growing, redactor });
    const kept = JSON.stringify(composeRequest({ ...ask(), memo }));
    const changes: readonly (() => void)[] = [
      () => pieces.push(piece(' two')),
      () => Object.assign(place, { line: 7 }),
      () => Object.assign(pieces[0] as Piece, { secrecy: 'confidential' }),
      () => Object.assign(calls[0]?.args as object, { path: 'b' }),
      () => Object.assign(tools[0] as object, { description: 'two' }),
    ];
    for (const change of changes) {
      change();
      expect(answer({ ...ask(), memo })).toBe(answer(ask()));
    }
    // And what was kept of them before is still what it was.
    const again: RequestInput = {
      blocks: [
        {
          ...block('a', piece('one', { origin: { kind: 'file', ref: 'a.md', line: 1 }, trust: 'user' })),
          calls: [{ id: '1', name: 'f', args: { path: 'a' } }],
        },
      ],
      tools: [{ name: 'f', description: 'one' }],
      hash: growing,
      redactor,
      memo,
    };
    expect(answer(again)).toBe(kept);
  });

  test('a block that was composed before is neither searched nor hashed again, and the whole goes on', () => {
    const work = { searched: 0, hashed: 0 };
    const counted = {
      ...redactor,
      find: (words: string) => {
        work.searched += words.length;
        return redactor.find(words);
      },
      leaks: (words: string) => {
        work.searched += words.length;
        return redactor.leaks(words);
      },
    };
    const count = (inner: GrowingHash): GrowingHash => ({
      ...inner,
      add: (words) => {
        work.hashed += words.length;
        inner.add(words);
      },
      copy: () => count(inner.copy()),
    });
    const hash: Hash = Object.assign(
      (words: string) => {
        work.hashed += words.length;
        return whole(words);
      },
      { begin: () => count(grow()) },
    );
    const memo = createComposeMemo();
    const blocks: BlockInput[] = [];
    let last = { searched: 0, hashed: 0 };
    for (let step = 0; step < 40; step += 1) {
      blocks.push(block(`message-${step}`, piece('some words '.repeat(100), { trust: 'user' })));
      // The task is told anew each time, behind all that was said.
      const task = block('task', piece(`step ${step}`));
      work.searched = 0;
      work.hashed = 0;
      expect(
        composeRequest({ blocks: [...structuredClone(blocks), task], hash, redactor: counted, memo }).ok,
      ).toBe(true);
      last = { ...work };
    }
    expect(last.searched).toBeLessThan(3 * 1100);
    expect(last.hashed).toBeLessThan(4 * 1100);
  });

  test('conversations that begin alike go on side by side', () => {
    let hashed = 0;
    const count = (inner: GrowingHash): GrowingHash => ({
      ...inner,
      add: (words) => {
        hashed += words.length;
        inner.add(words);
      },
      copy: () => count(inner.copy()),
    });
    const hash: Hash = Object.assign((words: string) => whole(words), { begin: () => count(grow()) });
    const memo = createComposeMemo();
    const system = block('system', piece('be brief '.repeat(100)));
    for (let step = 0; step < 30; step += 1) {
      for (let agent = 0; agent < 8; agent += 1) {
        const said = Array.from({ length: step }, (_, at) =>
          block(`message-${at}`, piece(`${agent} and ${at}: ${'some words '.repeat(100)}`)),
        );
        hashed = 0;
        const input = { blocks: [system, ...said, block('task', piece(`step ${step}`))], hash, redactor };
        expect(composeRequest({ ...input, memo }).ok).toBe(true);
        if (step === 29) expect(hashed).toBeLessThan(4 * 1200);
      }
    }
  });
});
