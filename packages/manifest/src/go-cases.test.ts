import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resolve } from '../test/agents.js';

interface Case {
  readonly id: string;
  readonly tmpl: string;
  readonly lookup: Readonly<Record<string, string>>;
  readonly ctx?: {
    readonly AgentName: string;
    readonly AgentNamespace: string;
    readonly Description: string;
    readonly ToolNames: readonly string[] | null;
    readonly SkillNames: readonly string[] | null;
  };
  readonly expect: { readonly ok: boolean; readonly out: string | null; readonly err: string | null };
}

// Recorded answers of Go for the context of an Agent: the same templates, told through manifests.
const CASES = readFileSync(new URL('../../template/test/go-template.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Case]))
  .filter(({ ctx }) => ctx !== undefined);

test('there are cases', () => {
  expect(CASES.length).toBeGreaterThan(40);
});

test.each(CASES)('$id', ({ tmpl, lookup, ctx, expect: go }) => {
  const data = new Map<string, Record<string, string>>();
  for (const [path, text] of Object.entries(lookup)) {
    const cut = path.lastIndexOf('/');
    const name = path.slice(0, cut);
    data.set(name, { ...data.get(name), [path.slice(cut + 1)]: text });
  }
  const objects = [...data].map(([name, texts]) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: texts,
  }));
  const declarative = {
    systemMessage: tmpl,
    promptTemplate: { dataSources: [...data.keys()].map((name) => ({ kind: 'ConfigMap', name })) },
    tools: [{ mcpServer: { toolNames: ctx?.ToolNames } }],
  };
  const spec = { description: ctx?.Description, skills: { refs: ctx?.SkillNames } };
  const resolved = resolve(declarative, objects, spec, ctx?.AgentName);
  expect(resolved.ok ? { out: resolved.text } : { err: withoutType(resolved.diagnostic.message) }).toEqual(
    go.ok ? { out: go.out } : { err: withoutType(go.err ?? '') },
  );
  if (resolved.ok) expect(resolved.pieces.map(({ text }) => text).join('')).toBe(go.out);
});

/** The type of the context goes by another name where the answers were recorded. */
const withoutType = (message: string): string => message.replace(/type \w+\.\w+/g, 'type T');
