import type { Scenario } from '@cuebook/bundle';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { must } from '../../../bundle/test/scratch.js';
import { newParts, type TestParts } from '../../test/parts.js';
import { findLibrary } from './library.js';
import { pinVersion, rollBackVersion } from './pin.js';
import { decideVersion, proposeVersion } from './propose.js';
import { publishLibrary } from './publish.js';
import type { TemplateRecord } from './record.js';
import { type LibraryRequest, requestLibrary, signLibrary } from './request.js';

const draft = (parts: TestParts, n: number): Scenario => {
  const greeting = parts.library.find(({ id }) => id === 'greeting') as Scenario;
  return { ...greeting, template: `${greeting.template}\nVariant ${n}.` };
};
const cases = (n: number): string => `cases: [{ name: case ${n % 2} }]\n`;
const textOf = ({ scenario, cases: text }: TemplateRecord): string => `${scenario.template} ${text}`;

/** What people do, in any order and at the same time. Reviewers and holders act on what they looked at last. */
type Step =
  | { readonly does: 'propose'; readonly variant: number }
  | { readonly does: 'look' | 'approve' | 'reject'; readonly who: string }
  | { readonly does: 'request' }
  | { readonly does: 'publish' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('propose' as const), variant: fc.nat(3) }),
  fc.record({
    does: fc.constantFrom('look' as const, 'approve' as const, 'reject' as const),
    who: fc.constantFrom('rosa', 'ruth'),
  }),
  fc.record({ does: fc.constant('request' as const) }),
  fc.record({ does: fc.constant('publish' as const) }),
);

test('what is approved, rejected, signed and published is what was read, whoever hands in other words meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      async (rounds) => {
        const parts = await newParts();
        /** By number: the words that it named when it was first seen. */
        const named = new Map<number, string>();
        const seen = (template: TemplateRecord): void => {
          const { version } = template.scenario;
          expect(named.get(version) ?? textOf(template)).toBe(textOf(template));
          named.set(version, textOf(template));
        };
        const looked = new Map<string, TemplateRecord>();
        const decided = new Map<number, string>();
        let asked: LibraryRequest | undefined;
        const does = async (each: Step): Promise<void> => {
          if (each.does === 'propose') {
            const { variant } = each;
            const proposal = { scenario: draft(parts, variant), cases: cases(variant), by: 'ann' };
            const proposed = await proposeVersion(parts, proposal);
            if (proposed.ok) seen(proposed.value);
          } else if (each.does === 'look') {
            const { record } = await findLibrary(parts);
            const waits = record.templates.find(({ status }) => status === 'waiting');
            if (waits !== undefined) looked.set(each.who, waits);
          } else if (each.does === 'request') {
            asked = requestLibrary(parts, await findLibrary(parts));
          } else if (each.does === 'publish') {
            if (asked !== undefined)
              await publishLibrary(parts, signLibrary(asked, parts.offline.keys.library), 'pia');
          } else {
            const read = looked.get(each.who);
            if (read === undefined) return;
            const { version } = read.scenario;
            const done = await decideVersion(parts, {
              ...{ scenario: 'greeting', version, by: each.who, reason: 'no' },
              approve: each.does === 'approve',
              tryCases: async (scenario, text) => {
                expect(`${scenario.template} ${text}`).toBe(textOf(read));
                return [];
              },
            });
            if (!done.ok) return;
            expect(textOf(done.value)).toBe(textOf(read));
            decided.set(version, each.does);
          }
        };
        for (const round of rounds) await Promise.all(round.map(does));
        for (const template of (await findLibrary(parts)).record.templates) {
          const { id, version } = template.scenario;
          if (id !== 'greeting' || version === 1) continue;
          seen(template);
          const by = {
            approved: 'approve',
            listed: 'approve',
            retired: 'approve',
            rejected: 'reject',
            waiting: undefined,
          };
          expect(decided.get(version)).toBe(by[template.status]);
        }
      },
    ),
    runs(30, 400),
  );
});

test('two people who roll back at the same time go one step back when each names what they saw', async () => {
  const parts = await newParts();
  for (const variant of [1, 2]) {
    const { scenario } = must(await proposeVersion(parts, { scenario: draft(parts, variant), by: 'ann' }));
    const { id, version } = scenario;
    must(await decideVersion(parts, { scenario: id, version, approve: true, by: 'rosa' }));
    const asked = requestLibrary(parts, await findLibrary(parts));
    must(await publishLibrary(parts, signLibrary(asked, parts.offline.keys.library), 'pia'));
    must(await pinVersion(parts, { scenario: id, version, by: 'pia' }));
  }
  const both = ['pia', 'paul'].map((by) => rollBackVersion(parts, { scenario: 'greeting', from: 3, by }));
  const results = (await Promise.all(both)).map((each) => (each.ok ? each.value.version : each.error.reason));
  expect(results.sort()).toEqual([2, 'not-assigned']);
  expect((await findLibrary(parts)).record.pins.greeting).toBe(2);
});
