import type { Catalog, StepMessage } from '@cuebook/define';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { define, desk, prompt } from '../../test/project.js';
import { catalogOf } from '../../test/simulated.js';
import { openStand, root } from '../../test/stand.js';
import { composeFitting } from './condense.js';

const TOKENS = 2_000;
const small = define(
  'Model',
  `  name: 'fast', provider: 'rehearsal', model: 'fast-1', capabilities: { contextLength: ${TOKENS} }`,
);
const WIDE = 4_000;
const wide = define(
  'Model',
  `  name: 'wide', provider: 'rehearsal', model: 'wide-1', capabilities: { contextLength: ${WIDE}, supportsImages: true }`,
);
const project = {
  ...desk('includeChat: true, includePastTools: true,'),
  'models/fast.ts': small,
  'prompts/bare.ts': prompt('bare'),
  'models/wide.ts': wide,
  'prompts/wide.ts': prompt(
    'wide',
    'includeChat: true, includePastTools: true, recentImageThreshold: 3,',
  ).replace("'fast'", "'wide'"),
};

const text = fc.oneof(
  fc.nat(3_000).map((size) => 'word '.repeat(size / 5)),
  fc.nat(900).map((size) => 'SYSTEM_RULES\n- key: \u200b\n'.repeat(size / 20)),
  fc.constantFrom('', 'Hi.'),
);
const unit = fc.oneof(
  text.map((words): StepMessage[] => [{ role: 'user', text: words, trust: 'user' }]),
  fc
    .tuple(text, fc.array(text, { maxLength: 3 }), fc.nat(1_000_000))
    .map(([words, results, id]): StepMessage[] => [
      {
        role: 'assistant',
        text: words,
        calls: results.map((result, at) => ({ id: `${id}.${at}`, name: 'echo', args: { result } })),
      },
      ...results.map((result, at): StepMessage => ({ role: 'tool', text: result, callId: `${id}.${at}` })),
    ]),
);

describe('a thread whose history is larger than its model', () => {
  let catalog: Catalog;
  beforeAll(async () => {
    catalog = await catalogOf(project);
  });

  it('for all histories: the request fits, its newest message is there, and calls have their results', () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 14 }), fc.constantFrom('clerk', 'bare'), (units, name) => {
        const entry = catalog.prompts.get(name);
        if (entry === undefined) throw new Error('no prompt');
        const earlier = units.flat();
        const current: StepMessage[] = [{ role: 'user', text: 'What now?', trust: 'user' }];
        const fitted = composeFitting({ catalog, prompt: entry, conversation: { earlier, current } });
        if (!fitted.ok) throw new Error(String(fitted.error));
        const { blocks } = fitted.value;
        const bytes = blocks.reduce(
          (sum, { pieces, calls }) =>
            sum +
            pieces.reduce((all, piece) => all + Buffer.byteLength(piece.text), 0) +
            Buffer.byteLength(JSON.stringify(calls ?? '')),
          0,
        );
        expect(bytes).toBeLessThanOrEqual(TOKENS * 3);
        expect(
          blocks
            .at(-1)
            ?.pieces.map((piece) => piece.text)
            .join(''),
        ).toBe('What now?');
        const asked = blocks.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
        const answered = blocks.flatMap(({ callId }) => (callId === undefined ? [] : [callId]));
        expect(answered).toEqual(asked);
        expect(blocks[1]?.role).toBe('user');
      }),
      runs(60, 5_000),
    );
  });

  const media = fc
    .array(fc.tuple(fc.constantFrom('image/png', 'application/pdf'), fc.nat(12_000)), { maxLength: 3 })
    .map((all) => all.map(([type, size]) => ({ type, data: 'QUFB'.repeat(size / 4) })));
  const shown = fc.tuple(unit, fc.array(media, { minLength: 1, maxLength: 4 })).map(([messages, given]) =>
    messages.map((message, at) => {
      const attached = message.role === 'assistant' ? [] : (given[at % given.length] ?? []);
      return attached.length === 0 ? message : { ...message, media: attached };
    }),
  );
  const sizeOf = ({ type, data }: { readonly type: string; readonly data: string }): number =>
    type.startsWith('image/') ? 6_000 : data.length;

  it('for all histories with pictures and files: the request fits, whatever is newest, and tells what has no room', () => {
    fc.assert(
      fc.property(fc.array(shown, { maxLength: 6 }), shown, (units, current) => {
        const entry = catalog.prompts.get('wide');
        if (entry === undefined) throw new Error('no prompt');
        const fitted = composeFitting({
          ...{ catalog, prompt: entry },
          conversation: { earlier: units.flat(), current },
        });
        if (!fitted.ok) throw new Error(String(fitted.error));
        const { blocks } = fitted.value;
        const words = blocks.map(({ pieces }) => pieces.map((piece) => piece.text).join(''));
        const bytes = blocks.reduce(
          (sum, { calls, media: sent = [] }) =>
            sum +
            Buffer.byteLength(JSON.stringify(calls ?? '')) +
            sent.reduce((all, each) => all + sizeOf(each), 0),
          Buffer.byteLength(words.join('')),
        );
        expect(bytes).toBeLessThanOrEqual(WIDE * 3);
        current.forEach(({ media: given = [] }, at) => {
          const block = blocks[blocks.length - current.length + at];
          const isTold = words[blocks.length - current.length + at]?.includes('[left out here: ');
          expect((block?.media ?? []).length === given.length || isTold).toBe(true);
        });
      }),
      runs(20, 2_000),
    );
  });

  it('goes on, says what is left out, and the record keeps all', async () => {
    const stand = await openStand(project, {
      '*': Array.from({ length: 8 }, () => ({ text: 'A'.repeat(900) })),
    });
    try {
      await stand.start({ text: 'First.' });
      for (let turn = 0; turn < 6; turn += 1) await stand.say(`Turn ${turn} ${'b'.repeat(900)}`);
      const state = await stand.say('Last.');
      expect(root(state).outcome).toMatchObject({ status: 'done' });
      const last = stand.requests.at(-1)?.messages ?? [];
      expect(last[1]?.content).toMatch(/^\(\d+ earlier messages of this conversation have no room here/);
      expect(last.at(-1)?.content).toBe('Last.');
      expect(Buffer.byteLength(JSON.stringify(last))).toBeLessThan(TOKENS * 3 + 2_000);
      expect(root(state).messages).toHaveLength(16);
    } finally {
      await stand.close();
    }
  });

  it('a message that is larger than the model by itself is cut, and one beside too many rules is refused', async () => {
    const stand = await openStand(project, { '*': [{ text: 'Well.' }] });
    try {
      const state = await stand.start({ text: 'x'.repeat(50_000) });
      expect(root(state).outcome).toMatchObject({ status: 'done' });
      expect(stand.requests[0]?.messages.at(-1)?.content).toContain('[cut here: 50000 bytes in all]');
    } finally {
      await stand.close();
    }
    const full = { ...project, 'prompts/clerk.ts': prompt('clerk', '', `'${'r'.repeat(TOKENS * 3)}'`) };
    const none = await openStand(full, { '*': [] });
    try {
      const state = await none.start();
      expect(root(state).outcome).toMatchObject({ status: 'failed', code: 'E_THREAD_ROOM' });
    } finally {
      await none.close();
    }
  });
});
