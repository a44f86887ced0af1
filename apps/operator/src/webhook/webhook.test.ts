import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { type KubeObject, systemClock } from '@cuebook/controller';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { IS_REAL, TEST_LABEL } from '../../test/backend.js';
import { agent, type Cluster, configMap, openCluster, openClusterInMemory } from '../../test/cluster.js';
import { selfSigned } from './certificate.js';
import { keepCertificate } from './keep-certificate.js';
import { serveWebhook, type Webhook } from './serve.js';

const HELLO = 'Hello. {{include "prompts/tone"}}';
const NAME = 'cuebook-webhook.default.svc';
const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000);

interface Answer {
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly warnings: readonly string[];
  };
}

/** Asks as an API server does: it believes one certificate, under the name of the Service. */
function ask(
  port: number,
  ca: string,
  body: string,
  path = '/review',
): Promise<{ readonly status: number; readonly body: Answer }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        ca,
        servername: NAME,
        headers: { 'content-type': 'application/json' },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

const reviewOf = (object: KubeObject): string =>
  JSON.stringify({
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: { uid: 'u1', operation: 'CREATE', object },
  });
const placed = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: 'default' },
});

describe('a webhook', () => {
  let cluster: Cluster;
  let webhook: Webhook;
  const served = selfSigned([NAME], { from: day(0), until: new Date(Date.now() + 86_400_000) });
  const counted: string[] = [];
  beforeEach(async () => {
    cluster = await openClusterInMemory();
    const operator = cluster.start();
    await cluster.put('configMaps', configMap('prompts', { tone: 'Be kind.', spare: 'x' }));
    for (const name of ['a', 'b']) await cluster.put('agents', agent(name, HELLO, ['prompts']));
    await cluster.until(() => expect(['a', 'b'].map(cluster.accepted)).toEqual(['True', 'True']));
    counted.length = 0;
    webhook = await serveWebhook({
      ...{ host: '127.0.0.1', port: 0, certificate: served, view: operator.view },
      onReviewed: (answer) => counted.push(answer),
    });
  });
  afterEach(async () => {
    await webhook.close();
    await cluster.end();
  });
  const review = async (object: KubeObject) =>
    (await ask(webhook.port, served.cert, reviewOf(placed(object)))).body.response;

  itInTurn('refuses an Agent that only an edit of itself can fix, and says why', async () => {
    const rows: readonly [KubeObject, string][] = [
      [agent('n', '{{if}}'), 'missing value for if'],
      [agent('n', '{{.Nope}}'), 'There is no variable "Nope"'],
      [agent('n', 'x', [{ kind: 'PromptLibrary', name: 'p' }]), 'is not a ConfigMap or a Secret'],
      [agent('n', '{{range 9223372036854775807}}{{end}}'), 'steps'],
      [agent('n', '{{range 200000}}{{include "prompts/tone"}}{{end}}', ['prompts']), '1048576 bytes'],
      [
        agent('n', 'x', [], { systemMessageFrom: { type: 'ConfigMap', name: 'p', key: 'k' } }),
        'mutually exclusive',
      ],
    ];
    for (const [object, words] of rows)
      expect(await review(object)).toMatchObject({
        ...{ uid: 'u1', allowed: false },
        status: { code: 422, message: expect.stringContaining(words) },
      });
    expect(counted).toEqual(rows.map(() => 'refused'));
  });

  it('warns of what is missing yet, and lets it through: it may come a moment later', async () => {
    expect(await review(agent('n', HELLO, ['nowhere']))).toMatchObject({
      allowed: true,
      warnings: expect.arrayContaining([expect.stringContaining('failed to find ConfigMap default/nowhere')]),
    });
    const { allowed, warnings } = await review(agent('n', '{{include "prompts/none"}}', ['prompts']));
    expect([allowed, warnings[0]]).toEqual([true, expect.stringContaining('No source gives "prompts/none"')]);
    expect(await review(agent('n', HELLO, ['prompts']))).toEqual({ uid: 'u1', allowed: true });
  });

  it('tells who edits a prompt library which Agents get new words, and which could not be resolved', async () => {
    const edited = await review(configMap('prompts', { tone: 'Be brief.' }));
    expect(edited).toEqual({
      uid: 'u1',
      allowed: true,
      warnings: ['2 Agents get new words, and their pods roll: default/a, default/b'],
    });
    const { allowed, warnings } = await review(configMap('prompts', { spare: 'y' }));
    expect([allowed, warnings[0]]).toEqual([
      true,
      expect.stringContaining('2 Agents cannot be resolved with it'),
    ]);
    expect(await review(configMap('prompts', { tone: 'Be kind.', spare: 'y' }))).toEqual({
      uid: 'u1',
      allowed: true,
    });
  });

  it('answers what it cannot read with a word, whatever it is', async () => {
    for (const body of ['', 'x', '[]', '{}', 'null', reviewOf({ ...agent('n', 'x'), metadata: {} } as never)])
      expect((await ask(webhook.port, served.cert, body)).status).toBe(400);
    expect((await ask(webhook.port, served.cert, '{}', '/other')).status).toBe(404);
  });

  it('serves with a new certificate from the next connection on', async () => {
    const next = selfSigned([NAME], { from: day(0), until: new Date(Date.now() + 86_400_000) });
    await expect(ask(webhook.port, next.cert, '{}')).rejects.toThrow();
    webhook.renew(next);
    expect((await ask(webhook.port, next.cert, '{}')).status).toBe(400);
  });
});

if (IS_REAL)
  it('is asked by the API server of KUBECONFIG, which believes its certificate', async () => {
    const cluster = await openCluster();
    const operator = cluster.start();
    const kept = selfSigned(['localhost'], { from: day(0), until: new Date(Date.now() + 86_400_000) });
    const webhook = await serveWebhook({
      ...{ host: '127.0.0.1', port: 0, certificate: kept, view: operator.view },
    });
    const resource = {
      ...{ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration' },
      ...{ plural: 'validatingwebhookconfigurations', namespaced: false },
    };
    const name = `cuebook-test-${cluster.namespace}`;
    const made = await cluster.client.create(resource, {
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: resource.kind, metadata: { name } },
      webhooks: [
        {
          ...{ name: 'agents.cuebook.dev', admissionReviewVersions: ['v1'], sideEffects: 'None' },
          ...{ failurePolicy: 'Fail', timeoutSeconds: 5 },
          clientConfig: {
            url: `https://localhost:${webhook.port}/review`,
            caBundle: Buffer.from(kept.cert).toString('base64'),
          },
          // Agents of others are not kept waiting.
          namespaceSelector: { matchLabels: { [TEST_LABEL]: cluster.namespace } },
          rules: [
            {
              ...{ apiGroups: ['cuebook.dev'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'] },
              resources: ['agents'],
            },
          ],
        },
      ],
    });
    try {
      expect(made.ok).toBe(true);
      await expect
        .poll(() => cluster.put('agents', agent('bad', '{{if}}')).catch((error: Error) => error.message))
        .toContain('missing value for if');
      await cluster.put('agents', agent('good', 'Plain.'));
      await cluster.until(() => expect(cluster.accepted('good')).toBe('True'));
    } finally {
      await cluster.client.remove(resource, { name });
      await webhook.close();
      await cluster.end();
    }
  });

describe('the certificate of a webhook', () => {
  it.each([1, 60, 400, 9_000])('that lives %i days is one that others can read', (days) => {
    const names = ['a.b.svc', 'a.b.svc.cluster.local'];
    const { cert } = selfSigned(names, { from: day(0), until: day(days) });
    const read = new X509Certificate(cert);
    expect(read.subjectAltName).toBe('DNS:a.b.svc, DNS:a.b.svc.cluster.local');
    expect([Date.parse(read.validFrom), Date.parse(read.validTo)]).toEqual([+day(0), +day(days)]);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkHost('a.b.svc')).toBe('a.b.svc');
  });

  it('is made once for all replicas, told to the API server, and replaced in time while the old one is believed', async () => {
    const cluster = await openClusterInMemory();
    const { client, double } = cluster;
    try {
      double.storage.create('admissionregistration.k8s.io/v1/validatingwebhookconfigurations', 'hook', {
        ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
        metadata: { name: 'hook' },
        webhooks: [{ name: 'one', clientConfig: { service: { name: 's' } } }, { name: 'two' }],
      });
      const keep = (date: Date) =>
        keepCertificate({
          ...{ client, namespace: 'default', service: 's', configuration: 'hook' },
          clock: { ...systemClock, date: () => date },
        });
      const [one, two] = await Promise.all([keep(day(0)), keep(day(0))]);
      if (!one.ok || !two.ok) throw new Error('no certificate');
      expect(two.value).toEqual(one.value);
      expect(await keep(day(300))).toEqual(one);
      const later = await keep(day(310));
      if (!later.ok) throw new Error('no certificate');
      expect(later.value.cert).not.toBe(one.value.cert);
      expect(later.value.trusted).toBe(later.value.cert + one.value.cert);
      const hook = double.storage.get(
        'admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
        'hook',
      );
      const caBundle = Buffer.from(later.value.trusted).toString('base64');
      expect(hook?.webhooks).toEqual([
        { name: 'one', clientConfig: { service: { name: 's' }, caBundle } },
        { name: 'two', clientConfig: { caBundle } },
      ]);
    } finally {
      await cluster.end();
    }
  });
});
