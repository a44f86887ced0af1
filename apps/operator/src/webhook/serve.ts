import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '@cuebook/controller';
import type { ServingCertificate } from './certificate.js';
import { type ReviewAnswer, type ReviewView, reviewAgent, reviewSource } from './review.js';

export interface WebhookOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly certificate: ServingCertificate;
  readonly view: ReviewView;
  readonly onReviewed?: (answer: 'allowed' | 'warned' | 'refused' | 'unread') => void;
}

export interface Webhook {
  readonly port: number;
  /** Serves with another certificate from the next connection on. */
  renew(certificate: ServingCertificate): void;
  close(): Promise<void>;
}

/** Answers the reviews of an API server at `/review`. It reads and writes nothing but its answer. */
export async function serveWebhook(options: WebhookOptions): Promise<Webhook> {
  const { host, port, certificate, view, onReviewed } = options;
  const server = createServer(certificate, (request, response) => {
    const say = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const answer = async (): Promise<void> => {
      if (request.method !== 'POST' || new URL(request.url ?? '/', 'https://local').pathname !== '/review')
        return say(404, { message: 'Reviews are posted to /review.' });
      const asked = requestIn(await bodyOf(request));
      if (asked === undefined) {
        onReviewed?.('unread');
        return say(400, { message: 'The body is no AdmissionReview of admission.k8s.io/v1.' });
      }
      const reviewed = review(asked, view);
      onReviewed?.(!reviewed.allowed ? 'refused' : reviewed.warnings.length > 0 ? 'warned' : 'allowed');
      say(200, reviewBody(asked.uid, reviewed));
    };
    answer().catch(() => {
      onReviewed?.('unread');
      say(400, { message: 'The review cannot be read.' });
    });
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (next) => server.setSecureContext(next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface ReviewRequest {
  readonly uid: string;
  readonly object: KubeObject;
}

function requestIn(body: string): ReviewRequest | undefined {
  const { apiVersion, kind, request } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const { uid, object } = Object(request) as { readonly uid?: unknown; readonly object?: unknown };
  if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview' || typeof uid !== 'string')
    return undefined;
  const { metadata } = Object(object) as Partial<KubeObject>;
  return typeof metadata?.name === 'string' ? { uid, object: object as KubeObject } : undefined;
}

function review({ object }: ReviewRequest, view: ReviewView): ReviewAnswer {
  if (object.kind === 'Agent') return reviewAgent(object, view);
  if (object.kind === 'ConfigMap') return reviewSource(object, view);
  return { allowed: true, warnings: [] };
}

const reviewBody = (uid: string, { allowed, message, warnings }: ReviewAnswer) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: {
    uid,
    allowed,
    ...(message === undefined ? {} : { status: { code: 422, reason: 'Invalid', message } }),
    // An API server cuts longer ones.
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((each) => each.slice(0, MAX_WARNING)) }),
  },
});

const MAX_WARNING = 256;

/** An object has at most 3 MB, and an update has the old one beside it. */
const MAX_BODY = 8 * 1024 * 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
