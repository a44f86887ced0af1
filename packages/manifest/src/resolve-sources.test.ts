import { describe, expect, test } from 'vitest';
import { CM, MAP, manifests, resolve, resolveText, SECRET, SOURCES } from '../test/agents.js';

describe('sources', () => {
  const P = MAP('p', { a: 'A', b: 'B' });
  const Q = MAP('q', { c: 'C', a: 'QA' });
  const twenty = (count: number) => Array.from({ length: count }, (_, i) => CM('p', `x${i}`));

  test.each<[what: string, declarative: object, objects: object[], text: string]>([
    [
      'without an alias go by their name',
      { systemMessage: '{{include "p/a"}}', ...SOURCES(CM('p')) },
      [P],
      'A',
    ],
    ['with an empty alias too', { systemMessage: '{{include "p/a"}}', ...SOURCES(CM('p', '')) }, [P], 'A'],
    ['with an alias go by that', { systemMessage: '{{include "x/a"}}', ...SOURCES(CM('p', 'x')) }, [P], 'A'],
    [
      'of one alias are merged when no key is in both',
      { systemMessage: '{{include "x/a"}}{{include "x/c"}}', ...SOURCES(CM('p', 'x'), CM('r', 'x')) },
      [P, MAP('r', { c: 'C' })],
      'AC',
    ],
    [
      'may be one ConfigMap under two aliases',
      { systemMessage: '{{include "x/a"}}{{include "y/a"}}', ...SOURCES(CM('p', 'x'), CM('p', 'y')) },
      [P],
      'AA',
    ],
    ['may be empty when unused', { systemMessage: 'hi', ...SOURCES(CM('e')) }, [MAP('e', {})], 'hi'],
    [
      'without a kind are ConfigMaps',
      { systemMessage: '{{include "p/a"}}', ...SOURCES({ name: 'p' }) },
      [P],
      'A',
    ],
    [
      'may have an alias with a slash',
      { systemMessage: '{{include "x/y/a"}}', ...SOURCES(CM('p', 'x/y')) },
      [P],
      'A',
    ],
    [
      'of kind Secret are read from Secrets',
      { systemMessage: '{{include "p/a"}}', ...SOURCES({ kind: 'Secret', name: 'p' }) },
      [P, SECRET('p', { a: 'secret A' })],
      'secret A',
    ],
    ['may be twenty', { systemMessage: '{{include "x19/b"}}', ...SOURCES(...twenty(20)) }, [P], 'B'],
    [
      'are found by any text',
      { systemMessage: '{{include (printf "%s/%s" "p" "a")}}{{"p/b" | include}}', ...SOURCES(CM('p')) },
      [P],
      'AB',
    ],
    [
      'that the message is from may be its sources',
      { systemMessageFrom: { type: 'ConfigMap', name: 'q', key: 'c' }, ...SOURCES(CM('p')) },
      [P, MAP('q', { c: '[{{include "p/a"}}]' })],
      '[A]',
    ],
  ])('%s', (_what, declarative, objects, text) => {
    expect(resolveText(declarative, objects)).toBe(text);
  });

  test.each<[what: string, declarative: object, objects: object[], code: string, message: string]>([
    [
      'with an alias do not answer to their name',
      { systemMessage: '{{include "p/a"}}', ...SOURCES(CM('p', 'x')) },
      [P],
      'E_TEMPLATE_EXEC',
      'failed to execute system message template: template: systemMessage:1:2: executing "systemMessage" at <include "p/a">: error calling include: prompt template "p/a" not found in promptSources, available: [x/a x/b]',
    ],
    [
      'of one alias with one key, the first in order of keys',
      { systemMessage: '', systemMessageFrom: undefined, ...SOURCES(CM('p', 'x'), CM('q', 'x')) },
      [P, Q],
      'E_SOURCE',
      'duplicate prompt template identifier "x/a" from prompt source "q" (kind="ConfigMap", apiGroup="")',
    ],
    [
      'that are not there',
      { systemMessage: 'hi', ...SOURCES(CM('nowhere')) },
      [P],
      'E_SOURCE',
      'failed to resolve prompt source "nowhere": failed to find ConfigMap default/nowhere: configmaps "nowhere" not found',
    ],
    [
      'in another namespace',
      { systemMessage: 'hi', ...SOURCES(CM('p')) },
      [{ ...P, metadata: { name: 'p', namespace: 'other' } }],
      'E_SOURCE',
      'failed to resolve prompt source "p": failed to find ConfigMap default/p: configmaps "p" not found. There is one in namespace other, but references look only in the namespace of the Agent',
    ],
    [
      'of kind Secret that are ConfigMaps',
      { systemMessage: 'hi', ...SOURCES({ kind: 'Secret', name: 'p' }) },
      [P],
      'E_SOURCE',
      'failed to resolve prompt source "p": failed to find Secret default/p: secrets "p" not found. There is a ConfigMap of that name',
    ],
    [
      'of an unknown kind',
      { systemMessage: 'hi', ...SOURCES({ kind: 'PromptLibrary', apiGroup: 'kagent.dev', name: 'p' }) },
      [P],
      'E_SOURCE',
      'failed to resolve prompt source "p": kind "PromptLibrary", apiGroup "kagent.dev" is not a ConfigMap or a Secret of the core API group',
    ],
    [
      'with binary data are not included',
      { systemMessage: '{{include "b/z"}}', ...SOURCES(CM('b')) },
      [MAP('b', { a: '' }, { binaryData: { z: 'aGk=' } })],
      'E_TEMPLATE_EXEC',
      'failed to execute system message template: template: systemMessage:1:2: executing "systemMessage" at <include "b/z">: error calling include: prompt template "b/z" not found in promptSources, available: [b/a]',
    ],
  ])('are refused: %s', (_what, declarative, objects, code, message) => {
    const own =
      'systemMessage' in declarative && declarative.systemMessage === ''
        ? { ...declarative, systemMessage: 'x' }
        : declarative;
    const resolved = resolve(own, objects);
    expect(resolved.ok ? resolved.text : [resolved.diagnostic.code, resolved.diagnostic.message]).toEqual([
      code,
      message,
    ]);
  });

  test('of more than twenty are refused', () => {
    const read = manifests({ systemMessage: 'x', ...SOURCES(...twenty(21)) }, [P]);
    expect(read.agents.size).toBe(0);
    expect(read.problems[0]?.diagnostic).toMatchObject({
      code: 'E_MANIFEST',
      message: 'spec.declarative.promptTemplate.dataSources: at most 20 sources',
    });
  });
});
