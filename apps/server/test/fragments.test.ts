import { parseManifests } from '@cuebook/manifest';
import { ok } from '@cuebook/prompt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type ServerStand, serverStand } from './server-stand.js';

const map = (name: string, data: object, labels = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data });
const agent = (name: string, systemMessage: string, sources: readonly object[]) =>
  JSON.stringify({
    ...{ apiVersion: 'cuebook.dev/v1alpha1', kind: 'Agent', metadata: { name } },
    spec: { declarative: { systemMessage, promptTemplate: { dataSources: sources } } },
  });
const secret = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'house' } },
  stringData: { rules: 'Our margin is 47 percent.' },
});
const sources = [
  { kind: 'ConfigMap', name: 'team' },
  { kind: 'Secret', name: 'house' },
];
const LABEL = { 'cuebook.dev/prompt-library': 'true' };
const FILES = {
  'manifests/team.yaml': map('team', { tone: 'Be kind. Never lie.', spare: 'x' }, LABEL),
  'manifests/house.yaml': secret,
  'manifests/a.yaml': agent('a', '{{include "team/tone"}} {{include "house/rules"}}', sources),
  'manifests/b.yaml': agent('b', 'Plain.', []),
};

describe('fragments', () => {
  let stand: ServerStand;
  beforeAll(async () => {
    const live = parseManifests([
      ['team', map('team', { tone: 'Live words.' }, LABEL)],
      ['l', agent('live', '{{include "team/tone"}}', sources.slice(0, 1))],
    ]);
    stand = await serverStand({ files: FILES, options: { cluster: async () => ok(live) } });
  });
  afterAll(() => stand?.remove());

  it('are listed with every Agent of each key, of the project or of the cluster', async () => {
    const own = must(await stand.client.listFragments({ from: 'project' }));
    expect(own).toMatchObject({
      hasCluster: true,
      libraries: [
        {
          ...{ namespace: 'default', name: 'team', isLabelled: true },
          keys: [
            { key: 'spare', agents: [] },
            { key: 'tone', agents: [{ agent: 'default/a', how: 'include' }] },
          ],
        },
      ],
    });
    const live = must(await stand.client.listFragments({ from: 'cluster' }));
    expect(live.libraries[0]?.keys).toMatchObject([
      { key: 'tone', text: 'Live words.', agents: [{ agent: 'default/live' }] },
    ]);
  });

  it('show what other words would do to every Agent, and none of the words of a Secret', async () => {
    const edit = (key: string, text: string | null) =>
      stand.client.previewFragments({ edits: [{ namespace: 'default', name: 'team', key, text }] });
    const changed = must(await edit('tone', 'Be brief. Always cite.'));
    expect(changed).toMatchObject({
      more: 0,
      agents: [
        {
          ...{ agent: 'default/a', change: 'changed' },
          before: 'Be kind. Never lie. [confidential]',
          after: 'Be brief. Always cite. [confidential]',
          added: [{ text: 'Be brief.' }, { force: 'MUST', text: 'Always cite.' }],
          dropped: [{ text: 'Be kind.' }, { force: 'NEVER', text: 'Never lie.' }],
        },
      ],
    });
    expect(JSON.stringify(changed)).not.toContain('margin');
    expect(must(await edit('spare', 'y')).agents).toEqual([]);
    expect(must(await edit('tone', null)).agents).toMatchObject([
      { agent: 'default/a', change: 'broken', after: null },
    ]);
    expect(await edit('../x', 'y')).toMatchObject({ error: { status: 400 } });
  });

  it('of a cluster are refused where the server was given none, or cannot read it', async () => {
    stand = await stand.restart({ cluster: async () => ({ ok: false, error: 'The cluster is away.' }) });
    expect(await stand.client.listFragments({ from: 'cluster' })).toMatchObject({
      error: { status: 503, code: 'E_CLUSTER', message: 'The cluster is away.' },
    });
  });
});
