import { expect, test } from 'vitest';
import { BUILTIN_PROMPTS } from './builtin.js';

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
