import { X509Certificate } from 'node:crypto';
import type { KitClock, KubeClient, KubeFailure, KubeObject, Resource } from '@cuebook/controller';
import { fail, ok, type Result } from '@cuebook/prompt';
import { SECRETS } from '../resources.js';
import { type ServingCertificate, selfSigned } from './certificate.js';

export interface CertificatePlace {
  readonly client: KubeClient;
  readonly clock: KitClock;
  readonly namespace: string;
  /** The Service that the API server reaches the webhook by. */
  readonly service: string;
  /** The ValidatingWebhookConfiguration, and its webhooks. */
  readonly configuration: string;
}

/** What a webhook serves with, and whom the API server shall believe. */
export interface KeptCertificate extends ServingCertificate {
  readonly trusted: string;
}

const YEAR_MS = 365 * 24 * 3_600_000;
/** One that ends sooner than this is replaced. */
const LEFT_MS = 60 * 24 * 3_600_000;

const CONFIGURATIONS: Resource = {
  ...{ group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration' },
  ...{ plural: 'validatingwebhookconfigurations', namespaced: false },
};

/**
 * The certificate that all replicas serve with: kept in a Secret, made by the first who finds none, replaced in time. The
 * configuration of the webhook is told whom to believe: the new one and, while replicas change, the one before.
 */
export async function keepCertificate(
  options: CertificatePlace,
): Promise<Result<KeptCertificate, KubeFailure>> {
  const { client, clock, namespace, service } = options;
  const at = { namespace, name: `${service}-tls` };
  const found = await client.get(SECRETS, at);
  if (!found.ok && found.error.status !== 404) return found;
  const known = found.ok ? certificateIn(found.value) : undefined;
  const now = clock.date().getTime();
  if (known !== undefined && endOf(known.cert) - now > LEFT_MS) return told(options, known);
  const names = [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
  const made = selfSigned(names, { from: new Date(now - 3_600_000), until: new Date(now + YEAR_MS) });
  const next: KeptCertificate = { ...made, trusted: made.cert + (known?.cert ?? '') };
  const secret: KubeObject = {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: at },
    data: {
      'tls.crt': encoded(next.cert),
      'tls.key': encoded(next.key),
      'ca.crt': encoded(next.trusted),
    },
  };
  const { resourceVersion } = found.ok ? found.value.metadata : {};
  const written = found.ok
    ? await client.replace(SECRETS, {
        ...secret,
        metadata: { ...at, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      })
    : await client.create(SECRETS, secret);
  // Another replica was first: its certificate counts.
  if (!written.ok && written.error.status === 409) return keepCertificate(options);
  return written.ok ? told(options, next) : written;
}

async function told(
  { client, configuration }: Pick<CertificatePlace, 'client' | 'configuration'>,
  kept: KeptCertificate,
): Promise<Result<KeptCertificate, KubeFailure>> {
  const found = await client.get(CONFIGURATIONS, { name: configuration });
  // Without a configuration nobody asks; it may come later.
  if (!found.ok) return found.error.status === 404 ? ok(kept) : fail(found.error);
  const caBundle = encoded(kept.trusted);
  const webhooks = (found.value.webhooks ?? []) as readonly {
    readonly name: string;
    readonly clientConfig?: { readonly caBundle?: string };
  }[];
  if (webhooks.every((each) => each.clientConfig?.caBundle === caBundle)) return ok(kept);
  const written = await client.replace(CONFIGURATIONS, {
    ...found.value,
    webhooks: webhooks.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } })),
  });
  if (!written.ok && written.error.status === 409) return told({ client, configuration }, kept);
  return written.ok ? ok(kept) : fail(written.error);
}

function certificateIn({ data }: KubeObject): KeptCertificate | undefined {
  const fields = Object(data) as Readonly<Record<string, unknown>>;
  const [cert, key, trusted] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) =>
    typeof fields[name] === 'string' ? Buffer.from(fields[name], 'base64').toString() : undefined,
  );
  if (cert === undefined || key === undefined || Number.isNaN(endOf(cert))) return undefined;
  return { cert, key, trusted: trusted ?? cert };
}

function endOf(cert: string): number {
  try {
    return Date.parse(new X509Certificate(cert).validTo);
  } catch {
    // What cannot be read is as good as none.
    return Number.NaN;
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');
