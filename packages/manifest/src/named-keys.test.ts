import fc from 'fast-check';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { liveAgent, mayUseKeys } from './named-keys.js';
import { overlayManifests } from './overlay.js';
import { withEdits } from './prompt-library.js';
import { resolveAgent } from './resolve.js';

const KEYS = ['a', 'b', 'c'] as const;
const key = fc.constantFrom(...KEYS);
const part = fc.oneof(
  fc.record({ does: fc.constant('include' as const), of: fc.constantFrom('m', 'alias', 'n'), key }),
  fc.record({ does: fc.constant('piped' as const), of: fc.constantFrom('m', 'alias'), key }),
  fc.record({ does: fc.constant('computed' as const), of: fc.constantFrom('m', 'alias'), key }),
  fc.record({ does: fc.constant('hidden' as const), of: fc.constant('m'), key }),
);
type Part = typeof part extends fc.Arbitrary<infer Each> ? Each : never;
const textOf = ({ does, of, key: name }: Part): string => {
  if (does === 'include') return `{{include "${of}/${name}"}}`;
  if (does === 'piped') return `{{"${of}/${name}" | include | printf "%q"}}`;
  if (does === 'computed') return `{{include (printf "%s/%s" "${of}" "${name}")}}`;
  return `{{if .SkillNames}}{{include "${of}/${name}"}}{{end}}`;
};

it('says that an edit may be used wherever it changes what comes of an Agent', () => {
  const shape = fc.record({
    parts: fc.array(part, { maxLength: 3 }),
    alias: fc.boolean(),
    isShared: fc.boolean(),
    from: fc.boolean(),
    edited: key,
    text: fc.option(fc.constantFrom('new', 'old', '{{if}}'), { nil: null }),
  });
  fc.assert(
    fc.property(shape, ({ parts, alias, isShared, from, edited, text }) => {
      const message = parts.map(textOf).join(' ') || 'plain';
      const sources = [
        { kind: 'ConfigMap', name: 'm', ...(alias ? { alias: 'alias' } : {}) },
        { kind: 'ConfigMap', name: 'n', ...(isShared ? { alias: alias ? 'alias' : 'm' } : {}) },
      ];
      const object = {
        apiVersion: 'cuebook.dev/v1alpha1',
        kind: 'Agent',
        metadata: { name: 'x', namespace: 'default' },
        spec: {
          declarative: {
            ...(from
              ? { systemMessageFrom: { type: 'ConfigMap', name: 'm', key: 'a' } }
              : { systemMessage: message }),
            promptTemplate: { dataSources: sources },
          },
        },
      };
      const map = (name: string, data: object) => ({
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data },
      });
      const { manifests } = overlayManifests(
        [],
        [
          object,
          map('m', { a: from ? message : 'old', b: 'old' }),
          map('n', isShared ? { c: 'n' } : { a: 'n' }),
        ],
        { namespace: 'default' },
      );
      const edits = [{ namespace: 'default', name: 'm', key: edited, text }];
      const after = withEdits(manifests, edits);
      const agent = manifests.agents.get('default/x');
      const live = liveAgent(object);
      if (agent === undefined || live === undefined) throw new Error('no Agent');
      const answer = ({ texts }: typeof manifests) => {
        const resolved = resolveAgent(agent, texts);
        return resolved.ok ? resolved.text : 'broken';
      };
      if (answer(manifests) !== answer(after))
        expect(mayUseKeys(live, { kind: 'ConfigMap', name: 'm' }, new Set([edited]))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['{{include "m/a"}}', 'b', false],
  ['{{include "m/a"}}', 'a', true],
  ['{{if .SkillNames}}{{include "m/b"}}{{end}}', 'b', true],
  ['{{include (printf "m/%s" "a")}}', 'b', true],
  ['{{if}}', 'b', true],
  ['plain', 'a', false],
])('%j may use %s: %s', (systemMessage, edited, expected) => {
  const agent = liveAgent({
    ...{ apiVersion: 'cuebook.dev/v1alpha1', kind: 'Agent', metadata: { name: 'x' } },
    spec: {
      declarative: { systemMessage, promptTemplate: { dataSources: [{ kind: 'ConfigMap', name: 'm' }] } },
    },
  });
  expect(agent && mayUseKeys(agent, { kind: 'ConfigMap', name: 'm' }, new Set([edited]))).toBe(expected);
});
