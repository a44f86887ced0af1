import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlayManifests } from './overlay.js';
import { changedAgents, promptLibraries, withEdits } from './prompt-library.js';

const agent = (name: string, systemMessage: string, sources: readonly object[], namespace = 'default') => ({
  apiVersion: 'cuebook.dev/v1alpha1',
  kind: 'Agent',
  metadata: { name, namespace },
  spec: { declarative: { systemMessage, promptTemplate: { dataSources: sources } } },
});
const map = (name: string, data: Record<string, string>, labels = {}, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels },
  data,
});
const source = (name: string, alias?: string) => ({ kind: 'ConfigMap', name, ...(alias ? { alias } : {}) });
const over = (live: readonly ReturnType<typeof agent | typeof map>[], ...texts: string[]) =>
  overlayManifests(
    texts.map((text, n) => [`f${n}.yaml`, text] as const),
    live,
    { namespace: 'default' },
  );

const LIVE = [
  map(
    'team',
    { tone: 'Be kind.', safety: 'Never lie.', spare: 'x' },
    { 'kagent.dev/prompt-library': 'true' },
  ),
  map('own', { rules: 'Rules.' }, { 'cuebook.dev/prompt-library': 'true' }),
  map('plain', { words: 'Plain.' }),
  map('other', { words: 'Not a library, and nobody includes it.' }),
  map('team', { tone: 'Elsewhere.' }, { 'cuebook.dev/prompt-library': 'true' }, 'far'),
  agent('a', '{{include "t/tone"}} {{if .SkillNames}}{{include "t/safety"}}{{end}}', [source('team', 't')]),
  agent('b', '{{include (printf "%s/%s" "team" "tone")}}', [source('team')]),
  agent('c', '{{include "plain/words"}}', [source('plain'), source('team')]),
  {
    ...agent('d', '', []),
    spec: { declarative: { systemMessageFrom: { type: 'ConfigMap', name: 'own', key: 'rules' } } },
  } as unknown as ReturnType<typeof agent>,
];

describe('prompt libraries', () => {
  it('are the labelled ConfigMaps and those that Agents include from, with the Agents of each key', () => {
    const shown = promptLibraries(over(LIVE).manifests).map(({ namespace, name, isLabelled, keys }) => [
      `${namespace}/${name}${isLabelled ? '' : ' (not labelled)'}`,
      Object.fromEntries(
        keys.map(({ key, agents }) => [key, agents.map((each) => `${each.agent} ${each.how}`)]),
      ),
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      'default/own': { rules: ['default/d message'] },
      'default/plain (not labelled)': { words: ['default/c include'] },
      'default/team': {
        safety: ['default/a include', 'default/b computed'],
        spare: ['default/b computed'],
        tone: ['default/a include', 'default/b computed'],
      },
      'far/team': { tone: [] },
    });
  });

  it('tell which Agents a change gives new words, and which it breaks', () => {
    const { manifests } = over(LIVE);
    const edit = (key: string, text: string | null, name = 'team') =>
      changedAgents(manifests, withEdits(manifests, [{ namespace: 'default', name, key, text }]));
    expect(edit('tone', 'Be brief.')).toEqual([
      { agent: 'default/a', change: 'changed' },
      { agent: 'default/b', change: 'changed' },
    ]);
    expect(edit('spare', 'y')).toEqual([]);
    expect(edit('safety', 'Never lie, really.')).toEqual([]);
    expect(edit('tone', null).map(({ agent: each, change }) => [each, change])).toEqual([
      ['default/a', 'broken'],
      ['default/b', 'broken'],
    ]);
    expect(edit('rules', 'Other rules.', 'own')).toEqual([{ agent: 'default/d', change: 'changed' }]);
  });

  it('never name an Agent whose words stay, and always one whose words change', () => {
    const key = fc.constantFrom('k0', 'k1', 'k2');
    const template = fc.array(fc.oneof(key, fc.constant('-')), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(template, { minLength: 1, maxLength: 5 }),
        key,
        fc.string(),
        (shapes, edited, text) => {
          const live = [
            map('m', { k0: 'zero', k1: 'one', k2: 'two' }),
            ...shapes.map((parts, n) =>
              agent(
                `a${n}`,
                parts.map((part) => (part === '-' ? 'plain ' : `{{include "m/${part}"}} `)).join('') || 'x',
                [source('m')],
              ),
            ),
          ];
          const { manifests } = over(live);
          const after = withEdits(manifests, [{ namespace: 'default', name: 'm', key: edited, text }]);
          const old = { k0: 'zero', k1: 'one', k2: 'two' }[edited];
          const expected = shapes.flatMap((parts, n) =>
            parts.includes(edited) && text !== old ? [`default/a${n}`] : [],
          );
          expect(changedAgents(manifests, after).map((each) => each.agent)).toEqual(expected.toSorted());
          const listed = promptLibraries(manifests).flatMap(({ keys }) =>
            keys.flatMap((each) => (each.key === edited ? each.agents.map((use) => use.agent) : [])),
          );
          expect(listed).toEqual(
            shapes.flatMap((parts, n) => (parts.includes(edited) ? [`default/a${n}`] : [])).toSorted(),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('documents over a cluster', () => {
  it('count whole where they say an object, and take what they name no namespace for from the call', () => {
    const { manifests, said } = over(
      LIVE,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: team }\ndata: { tone: Be brief. }\n',
    );
    expect([...said]).toEqual(['ConfigMap default/team']);
    expect([...(manifests.texts.find('ConfigMap', 'default', 'team')?.fragments.keys() ?? [])]).toEqual([
      'tone',
    ]);
    expect(manifests.problems).toEqual([]);
    const changes = changedAgents(over(LIVE).manifests, manifests);
    expect(changes.map(({ agent: each, change }) => `${each} ${change}`)).toEqual([
      'default/a changed',
      'default/b changed',
    ]);
  });

  it('tell the line of a value in the cluster', () => {
    const { manifests } = over([
      map('m', { k: 'one\ntwo\nthree' }),
      agent('a', 'first\n{{include "m/k"}}', [source('m')]),
    ]);
    const found = manifests.texts.find('ConfigMap', 'default', 'm')?.fragments.get('k')?.pieces();
    expect(found?.map(({ origin: { ref, line } }) => `${ref}:${line}`)).toEqual([
      'ConfigMap default/m data.k:1',
      'ConfigMap default/m data.k:2',
      'ConfigMap default/m data.k:3',
    ]);
  });
});
