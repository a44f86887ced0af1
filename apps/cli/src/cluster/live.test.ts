import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agent, configMap, secret, settled } from '../../../operator/test/cluster.js';
import { clusterStand } from '../../test/cluster.js';
import { cuebook } from '../../test/cuebook.js';

const HELLO = 'Hello.\n{{include "prompts/tone"}}';
let at: Awaited<ReturnType<typeof clusterStand>>;
beforeEach(async () => {
  at = await clusterStand();
  const { cluster } = at;
  await cluster.put('configMaps', {
    ...configMap('prompts', { tone: 'Be kind.\nNever lie.', spare: 'x' }),
    metadata: { name: 'prompts', labels: { 'kagent.dev/prompt-library': 'true' } },
  });
  for (const name of ['a', 'b']) await cluster.put('agents', agent(name, HELLO, ['prompts']));
  await cluster.put('agents', agent('c', 'Plain words.'));
});
afterEach(() => at.end());

const call = (...args: readonly string[]) =>
  cuebook([...args, '--kubeconfig', at.kubeconfig], { cwd: at.folder, env: { HOME: at.folder } });
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await call(...args, '--json');
  return { code, stderr, answer: JSON.parse(stdout || 'null') };
};
const file = (name: string, ...objects: readonly object[]): string => {
  writeFileSync(join(at.folder, name), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return name;
};

describe('diff --cluster', () => {
  it('tells which Agents get new words, what these demand, and whose pods roll; nothing is written', async () => {
    const before = at.cluster.double.storage.writes.length;
    const change = file(
      'change.json',
      configMap('prompts', { tone: 'Be kind.\nAlways cite a source.', spare: 'y' }),
    );
    const { code, answer } = await json('diff', '--cluster', '-f', change);
    expect(code).toBe(1);
    expect(answer.agents).toEqual([
      { agent: 'default/a', change: 'changed', pods: 'roll' },
      { agent: 'default/b', change: 'changed', pods: 'roll' },
    ]);
    expect(answer.rolls).toEqual(['default/a', 'default/b']);
    const both = ['default/a', 'default/b'];
    expect(answer.obligations.dropped).toEqual([
      expect.objectContaining({ text: 'Never lie.', agents: both }),
    ]);
    expect(answer.obligations.added).toEqual([
      expect.objectContaining({ text: 'Always cite a source.', agents: both }),
    ]);
    const { stdout } = await call('diff', '--cluster', '-f', change);
    expect(stdout).toContain('2 Agents changed, 0 Agents broken, pods of 2 roll');
    expect(stdout).toContain('default/a changed, its pods roll');
    expect(at.cluster.double.storage.writes).toHaveLength(before);
  });

  it('says nothing of an edit that no Agent includes, and names those that a change would break', async () => {
    const spare = file('spare.json', configMap('prompts', { tone: 'Be kind.\nNever lie.', spare: 'y' }));
    expect(await call('diff', '--cluster', '-f', spare)).toMatchObject({
      code: 0,
      stdout: 'No Agent gets other words.\n',
    });
    const broken = file('broken.json', configMap('prompts', { spare: 'y' }));
    const { code, answer } = await json('diff', '--cluster', '-f', broken);
    expect([code, answer.agents.map(({ change, pods }: never) => [change, pods])]).toEqual([
      1,
      [
        ['broken', 'keep'],
        ['broken', 'keep'],
      ],
    ]);
    expect(answer.agents[0].message).toContain('prompts/tone');
  });

  it('tells a new image and new replicas apart from new words', async () => {
    const more = { deployment: { image: 'mine:2', replicas: 3 } };
    const change = file('image.json', agent('c', 'Plain words.', [], more), agent('new', 'Words.'));
    const { answer } = await json('diff', '--cluster', '-f', change);
    expect(answer.agents.map(({ agent: name, change: how, pods }: never) => [name, how, pods])).toEqual([
      ['default/new', 'added', 'start'],
      ['default/c', 'changed', 'roll'],
    ]);
  });
});

describe('render --cluster', () => {
  it('shows an Agent with the sources of the cluster, and what applying it would change', async () => {
    const change = file('agent.json', agent('a', 'Good day.\n{{include "prompts/tone"}}', ['prompts']));
    const { answer } = await json('render', '-f', change, '--cluster');
    expect(answer.blocks[0].text).toBe('Good day.\nBe kind.\nNever lie.');
    expect(answer.cluster).toMatchObject({ agent: 'default/a', change: 'changed', pods: 'roll' });
    const { stdout } = await call('render', '-f', change, '--cluster');
    expect(stdout).toContain('- Hello.');
    expect(stdout).toContain('+ Good day.');
    expect(stdout).toContain('Pods: roll');
  });
});

describe('check --cluster', () => {
  it('answers before the apply, with the sources of the cluster, for the Agents that it concerns', async () => {
    expect(await call('check', '--cluster')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'in 3 targets: manifest:default/a, manifest:default/b, manifest:default/c',
      ),
    });
    const wrong = file('wrong.json', agent('d', '{{include "prompts/tome"}}', ['prompts']));
    const { code, answer } = await json('check', '--cluster', '-f', wrong);
    expect([code, answer.ok]).toEqual([1, false]);
    expect(answer.diagnostics[0]).toMatchObject({ code: 'E_INCLUDE_PATH', file: 'wrong.json' });
    expect(answer.diagnostics[0].message).toContain('Did you mean "prompts/tone"?');
    const gone = file('gone.json', configMap('prompts', { other: 'x' }));
    const concerned = await json('check', '--cluster', '-f', gone);
    expect(
      concerned.answer.diagnostics.filter((each: { code: string }) => each.code === 'E_INCLUDE_PATH'),
    ).toHaveLength(2);
  });
});

describe('explain agent/NAME', () => {
  it('answers for a live Agent: the line of the key, its version, and whether the agent has these words', async () => {
    at.cluster.start();
    await at.cluster.until(() => expect(at.cluster.accepted('a')).toBe('True'));
    await settled(at.cluster);
    const version = at.cluster.get('configMaps', 'prompts')?.metadata.resourceVersion;
    const { answer } = await json('explain', 'agent/a', '-n', 'default', '--at', 'Never');
    expect(answer.origin).toMatchObject({ ref: 'ConfigMap default/prompts data.tone', line: 2 });
    expect(answer.live).toMatchObject({
      agent: 'default/a',
      isTold: true,
      fragment: { kind: 'ConfigMap', name: 'prompts', key: 'tone', resourceVersion: version },
    });
    const { stdout } = await call('explain', 'agent/a', '--at', 'Never');
    expect(stdout).toContain('from    value ConfigMap default/prompts data.tone:2:1');
    expect(stdout).toContain('live    the agent has been given these words');
    await expect(json('explain', 'agent/none', '--at', '0')).resolves.toMatchObject({ code: 2 });
  });

  it('says that the agent has other words where its sources moved on and were not accepted', async () => {
    const { leave } = at.cluster.start();
    await at.cluster.until(() => expect(at.cluster.accepted('a')).toBe('True'));
    await leave();
    await at.cluster.put('configMaps', configMap('prompts', { tone: 'Be brief.' }));
    const { stdout } = await call('explain', 'agent/a', '--at', 'brief');
    expect(stdout).toContain('the agent has other words (sha256:');
  });
});

describe('words of a Secret', () => {
  it('are masked in every answer, and a Secret that may not be read is said so', async () => {
    const words = 'Our margin is 47 percent.';
    await at.cluster.put('secrets', secret('house', { rules: words }));
    await at.cluster.put(
      'agents',
      agent('s', 'Hi. {{include "house/rules"}}', [{ kind: 'Secret', name: 'house' }]),
    );
    const change = file(
      's.json',
      agent('s', 'Ho. {{include "house/rules"}}', [{ kind: 'Secret', name: 'house' }]),
    );
    for (const args of [
      ['render', '-f', change, '--cluster'],
      ['diff', '-f', change, '--cluster'],
      ['check', '--cluster'],
      ['explain', 'agent/s', '--at', '0'],
      ['fragments', '--cluster'],
    ])
      for (const shape of [[], ['--json']]) {
        const { stdout, stderr } = await call(...args, ...shape);
        expect(stdout + stderr).not.toContain('margin');
      }
    at.cluster.double.options.fault = ({ path }) => (path.includes('/secrets') ? { status: 403 } : undefined);
    const refused = await call('check', '--cluster');
    expect(refused.stderr).toContain('The Secret default/house cannot be read');
    expect(refused.code).toBe(1);
  });
});

describe('fragments', () => {
  it('lists libraries with every Agent of each key, and previews a change over all of them', async () => {
    const { answer } = await json('fragments', '--cluster');
    expect(answer.libraries).toMatchObject([
      {
        ...{ namespace: 'default', name: 'prompts', isLabelled: true },
        keys: [
          { key: 'spare', agents: [] },
          { key: 'tone', agents: [{ agent: 'default/a', how: 'include' }, { agent: 'default/b' }] },
        ],
      },
    ]);
    writeFileSync(join(at.folder, 'tone.md'), 'Never guess.');
    const { code, stdout } = await call(
      'fragments',
      'default/prompts/tone',
      '--cluster',
      '--with',
      'tone.md',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('2 Agents changed, 0 Agents broken, pods of 2 roll');
    expect(stdout).toContain('Never guess. (2 Agents)');
    expect(await call('fragments', 'default/prompts/tome', '--cluster')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean tone?'),
    });
  });
});
