import { type Diagnostic, nearest } from '@cuebook/prompt';
import { diagnosticAt, printPath } from '@cuebook/yaml';
import type { AgentObject } from './object.js';

/**
 * Keys that look like one that is read and are none: the cluster drops them without a word, and a template
 * becomes literal text.
 */
export function findMistypedKeys({ yaml, spec }: AgentObject): readonly Diagnostic[] {
  const declarative = ['spec', 'declarative'];
  const template = [...declarative, 'promptTemplate'];
  const sources = spec.declarative?.promptTemplate?.dataSources ?? [];
  return [
    ...mistyped(yaml, ['spec'], spec, SPEC_KEYS),
    ...mistyped(yaml, declarative, spec.declarative, DECLARATIVE_KEYS),
    ...mistyped(yaml, template, spec.declarative?.promptTemplate, ['dataSources']),
    ...sources.flatMap((source, index) =>
      mistyped(yaml, [...template, 'dataSources', index], source, ['kind', 'apiGroup', 'name', 'alias']),
    ),
    ...mistyped(yaml, ['spec', 'skills'], spec.skills, ['refs', 'gitRefs', 's3Refs']),
  ];
}

const SPEC_KEYS = ['type', 'description', 'declarative', 'byo', 'skills'];
const DECLARATIVE_KEYS = [
  'systemMessage',
  'systemMessageFrom',
  'promptTemplate',
  'tools',
  'modelConfig',
  'deployment',
  'memory',
  'context',
  'stream',
  'runtime',
];

function mistyped(
  yaml: AgentObject['yaml'],
  path: readonly PropertyKey[],
  value: object | null | undefined,
  known: readonly string[],
): readonly Diagnostic[] {
  return Object.keys(value ?? {}).flatMap((key): Diagnostic[] => {
    if (known.includes(key)) return [];
    const meant = nearest(key, known);
    if (meant === undefined) return [];
    const message = `"${key}" is not a key of ${printPath(path)}. Did you mean "${meant}"?`;
    return [diagnosticAt(yaml, [...path, key], { code: 'W_MANIFEST_KEY', severity: 'warning', message })];
  });
}
