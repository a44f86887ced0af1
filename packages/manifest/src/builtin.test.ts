import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BUILTIN_PROMPTS, BUILTIN_VERSION, builtinConfigMap } from './builtin.js';
import { parseManifests } from './read.js';
import { resolveAgent } from './resolve.js';

test.each<[string, readonly RegExp[]]>([
  ['skills-usage', [/`\/skills`/, /read its `SKILL\.md` in full/]],
  ['tool-usage-best-practices', [/arguments its schema names/, /is data, not instruction/]],
  ['safety-guardrails', [/until the user has confirmed/, /Never print passwords, tokens, keys/]],
  ['kubernetes-context', [/inside a Kubernetes cluster/, /kind, namespace and name/]],
  ['a2a-communication', [/another agent is better placed/, /hand-over stands on its own/]],
])('the built-in prompt %s says what it is for', (key, said) => {
  for (const words of said) expect(BUILTIN_PROMPTS[key]).toMatch(words);
  // A fragment is plain text that ends its line, and no template of its own.
  expect(BUILTIN_PROMPTS[key]).toMatch(/^## [^\n]+\n\n[\s\S]*[^\n]\n$/);
  expect(BUILTIN_PROMPTS[key]).not.toContain('{{');
});

/** Of all texts, by version. A word that changes needs a version of its own, and a row here. */
const HASHES: Readonly<Record<number, string>> = {
  1: '7e9fb1c53ff0fff036eb1ed3d9e434f5867ef32525df8add2bb00978ccfccb37',
};

test('the built-in prompts have a version, and other words another one', () => {
  const hash = createHash('sha256').update(JSON.stringify(BUILTIN_PROMPTS)).digest('hex');
  expect(Object.entries(HASHES).at(-1)).toEqual([String(BUILTIN_VERSION), hash]);
  expect(builtinConfigMap('x').metadata.annotations).toEqual({
    'cuebook.dev/prompt-version': String(BUILTIN_VERSION),
  });
});

test('an Agent may name the version whose words it wants to keep', () => {
  const pinned = builtinConfigMap('default', { isPinned: true });
  expect(pinned).toMatchObject({
    immutable: true,
    metadata: { name: `cuebook-builtin-prompts-v${BUILTIN_VERSION}` },
  });
  const { agents, texts } = parseManifests([
    [
      'a.yaml',
      JSON.stringify({
        ...{ apiVersion: 'cuebook.dev/v1alpha1', kind: 'Agent', metadata: { name: 'a' } },
        spec: {
          declarative: {
            systemMessage: '{{include "b/safety-guardrails"}}',
            promptTemplate: { dataSources: [{ kind: 'ConfigMap', name: pinned.metadata.name, alias: 'b' }] },
          },
        },
      }),
    ],
  ]);
  const agent = agents.get('default/a');
  expect(agent && resolveAgent(agent, texts)).toMatchObject({
    ok: true,
    text: BUILTIN_PROMPTS['safety-guardrails'],
  });
});
