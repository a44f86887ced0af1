import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionInPod, connectionOf, type KubeReach, readKubeConfig } from './kube-config.js';

const CONFIG = {
  'current-context': 'dev',
  contexts: [
    { name: 'dev', context: { cluster: 'c1', user: 'files', namespace: 'team' } },
    { name: 'token', context: { cluster: 'c1', user: 'token' } },
    { name: 'program', context: { cluster: 'c1', user: 'program' } },
    { name: 'lost', context: { cluster: 'none', user: 'token' } },
  ],
  clusters: [
    {
      name: 'c1',
      cluster: {
        server: 'https://10.0.0.1:6443',
        'certificate-authority-data': Buffer.from('CA').toString('base64'),
      },
    },
  ],
  users: [
    {
      name: 'files',
      user: { 'client-certificate': 'me.crt', 'client-key': '/abs/me.key', tokenFile: 'token' },
    },
    { name: 'token', user: { token: 'abc' } },
    {
      name: 'program',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'get-token',
          args: ['-x'],
          env: [{ name: 'A', value: 'b' }],
        },
      },
    },
  ],
};

function reach(more: Partial<KubeReach> = {}): KubeReach & { readonly ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    read: async (path) => `text of ${path}\n`,
    run: async ({ command, args, env }) => {
      ran.push(`${command} ${args.join(' ')} ${env.A}`);
      return JSON.stringify({
        status: { token: `t${ran.length}`, expirationTimestamp: '1970-01-01T01:00:00Z' },
      });
    },
    now: () => new Date(0),
    ...more,
  };
}

const config = readKubeConfig([{ document: CONFIG, folder: '/home/me/.kube' }]);

describe('a kubeconfig', () => {
  it('names files from where it lies, and its token file is read for each call', async () => {
    const reached = await connectionOf(config, reach());
    if (!reached.ok) throw new Error(reached.error);
    const { connection, namespace } = reached.value;
    expect([namespace, connection.ca, connection.cert, connection.key]).toEqual([
      'team',
      'CA',
      'text of /home/me/.kube/me.crt\n',
      'text of /abs/me.key\n',
    ]);
    expect(await connection.token?.()).toBe('text of /home/me/.kube/token');
  });

  it('asks a program for a credential, and again before that ends', async () => {
    let now = 0;
    const machine = reach({ now: () => new Date(now) });
    const reached = await connectionOf(config, machine, 'program');
    if (!reached.ok) throw new Error(reached.error);
    const { token } = reached.value.connection;
    expect([await token?.(), await token?.()]).toEqual(['t1', 't1']);
    now = 59.5 * 60_000;
    expect(await token?.()).toBe('t2');
    expect(machine.ran).toEqual(['get-token -x b', 'get-token -x b']);
    const broken = reach({ run: async () => 'a secret that is no JSON' });
    expect(await connectionOf(config, broken, 'program')).toEqual({
      ok: false,
      error: 'get-token gave no credential.',
    });
  });

  it('of several files the first counts', async () => {
    const other = {
      'current-context': 'other',
      contexts: [{ name: 'token', context: { cluster: 'c2', user: 'x' } }],
      clusters: [{ name: 'c2', cluster: { server: 'http://127.0.0.1:1' } }],
    };
    const both = readKubeConfig([
      { document: other, folder: '/a' },
      { document: CONFIG, folder: '/b' },
    ]);
    const reached = await connectionOf(both, reach(), 'token');
    expect(reached.ok && reached.value.connection.server).toBe('http://127.0.0.1:1');
    expect(await connectionOf(both, reach())).toMatchObject({ ok: false });
  });

  it.each([
    ['none', 'The kubeconfig has no context "none". It has: lost, program, token, dev.'],
    ['lost', 'The kubeconfig has no cluster "none" with an address.'],
  ])('says what %s lacks', async (context, error) => {
    const answer = await connectionOf(config, reach(), context);
    expect(answer.ok ? '' : [...answer.error].toSorted().join('')).toBe([...error].toSorted().join(''));
  });

  it('of any shape is refused or understood, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ document: fc.jsonValue(), folder: fc.constant('/x') }), { maxLength: 3 }),
        async (files) => {
          expect((await connectionOf(readKubeConfig(files), reach())).ok).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
  });
});

it('a pod is known by its service account, whose token is read for each call', async () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
  const reached = await connectionInPod(env, reach());
  expect(reached?.connection.server).toBe('https://[fd00::1]:6443');
  expect(await reached?.connection.token?.()).toBe(
    'text of /var/run/secrets/kubernetes.io/serviceaccount/token',
  );
  expect(await connectionInPod({}, reach())).toBeUndefined();
});
