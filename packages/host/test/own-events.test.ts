import type { RunId } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { createHost, lazyKind, type RunKind } from '../src/index.js';
import { hostStand } from './stand.js';

const RUN = 'run_diary' as RunId;
const OWN = { 'diary.started': true, 'diary.kept': true } as const;

/** A kind that is written by hand, with no machine behind it; it notes what it is asked to do. */
const diary = (asked: string[], events: RunKind['events']): RunKind => ({
  ...{ name: 'diary', prefixes: ['diary'], begins: 'diary.started', ...(events && { events }) },
  attach: () => ({
    start: async () => undefined,
    stop: async () => undefined,
    begin: async (run) => ok({ run, diagnostics: [] }),
    tell: async (_run, { type }) => ok(asked.push(`tell ${type}`)),
    wordFor: () => ok({ type: 'resume' }),
    goOn: async () => void asked.push('go on'),
    update: async () => ok(asked.push('update')),
    report: async () => expect.unreachable('nobody asks'),
    waits: async () => [],
    drain: async () => undefined,
  }),
});

const NAMES = fc.oneof(
  fc.constantFrom(...Object.keys(OWN), 'effect.begun', 'turn.recorded', 'constructor', '__proto__'),
  fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/),
);
const KNOWN = new Set([...Object.keys(OWN), 'effect.begun', 'turn.recorded']);

it('a kind that names its events is asked for nothing in a run that has others, however it is loaded; one that names none knows all', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(NAMES, { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      async (types, isLazy, names) => {
        const asked: string[] = [];
        const kind = diary(asked, names ? OWN : undefined);
        const { name, prefixes, begins } = kind;
        const kinds = [isLazy ? lazyKind({ name, prefixes, begins, load: async () => kind }) : kind];
        let take: ((job: { readonly kind: string; readonly run: RunId }) => Promise<void>) | undefined;
        const queue = {
          start: async (options: { readonly take: NonNullable<typeof take> }) => {
            take = options.take;
          },
          ...{ add: async () => undefined, stop: async () => undefined, close: async () => undefined },
          depth: async () => 0,
        };
        const stand = await hostStand({ kinds });
        const { store, options } = stand;
        await store.append({
          ...{ run: RUN, command: 'c', target: 't', answer: null, expectedSeq: 0 },
          events: ['diary.started', ...types].map((type) => ({ type, data: { id: 'x' } })),
        });
        const handing = { queue: queue as never, take: async () => ({ parallel: 1 }) };
        const host = createHost({ ...options, kinds, handing });
        await host.start();
        const said = { id: 'w', by: 'ann' };
        const answers = [
          await host.tell(RUN, { type: 'stop' }, said),
          await host.update(RUN, 'folder', said),
        ];
        await take?.({ kind: 'diary', run: RUN });
        await host.stop();
        const strange = names ? types.find((type) => !KNOWN.has(type)) : undefined;
        expect(asked).toEqual(strange === undefined ? ['tell stop', 'update', 'go on'] : []);
        for (const answer of answers)
          if (strange === undefined) expect(answer).toMatchObject({ ok: true });
          else
            expect(answer).toMatchObject({
              error: { code: 'E_JOURNAL_NEWER', message: expect.stringContaining(JSON.stringify(strange)) },
            });
        expect(stand.problems.join('\n').includes('E_JOURNAL_NEWER')).toBe(strange !== undefined);
        await stand.remove();
      },
    ),
    runs(40, 400),
  );
});
