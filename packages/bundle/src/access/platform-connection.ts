import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import {
  type AdmissionError,
  type Challenge,
  challengeSchema,
  signChallenge,
} from '../admission/challenge.js';
import type { KeySigner } from '../key/key.js';
import { readBounded } from '../objects/bounded.js';
import type { Connection } from './agent-objects.js';
import type { Credential } from './credential.js';
import type { Upload } from './presign.js';

/** How an agent reaches its platform. */
export interface PlatformPlace {
  /** Of the server: `https://home.example`. */
  readonly url: string;
  /** The name of the platform; challenges of any other are not signed. */
  readonly platform: string;
  readonly agent: string;
  readonly signer: KeySigner;
}

/** `E_CONNECTION`: the platform did not answer, said no, or said something that is no answer. */
export interface ConnectionError {
  readonly code: 'E_CONNECTION';
  readonly reason: 'unavailable' | 'refused' | 'no-answer';
  /** The code that the platform gave. */
  readonly detail?: string;
}

/** What an agent is told when it shows its key. */
export interface AdmittedSession {
  readonly token: string;
  readonly expiresAt: number;
  readonly floor: number;
}

/** The agent's end of the platform's interface. The session is opened with the key whenever there is none. */
export interface PlatformConnection extends Connection {
  /** Answers the challenge that the owner opened, if there is one. Undefined: there is none. */
  admit(): Promise<Result<AdmittedSession | undefined, ConnectionError | AdmissionError>>;
  /** Shows the key and opens a session. */
  session(): Promise<Result<AdmittedSession, ConnectionError | AdmissionError>>;
}

export function connectPlatform(place: PlatformPlace): PlatformConnection {
  const { platform, agent, signer } = place;
  let held: AdmittedSession | undefined;
  const hold = (answer: Result<unknown, ConnectionError>): Result<AdmittedSession, ConnectionError> => {
    const read = readAs(sessionSchema, answer);
    if (read.ok) held = read.value;
    return read;
  };
  const prove = (challenge: Challenge, purpose: Challenge['purpose']) =>
    signChallenge(challenge, { platform, agent, purpose }, signer);
  const session: PlatformConnection['session'] = async () => {
    const asked = readAs(sealedSchema, await send(place, 'POST', 'sessions/challenge', { agent }));
    if (!asked.ok) return asked;
    const signature = prove(asked.value.challenge, 'session');
    if (!signature.ok) return signature;
    return hold(await send(place, 'POST', 'sessions', { ...asked.value, signature: signature.value }));
  };
  /** With the session that is held; a new one when it has ended or was taken back. */
  const asAgent = async (
    path: string,
    body: object,
  ): Promise<Result<unknown, ConnectionError | AdmissionError>> => {
    for (const isLast of [false, true]) {
      const opened = held === undefined ? await session() : ok(held);
      if (!opened.ok) return opened;
      const answer = await send(place, 'POST', path, body, opened.value.token);
      const isOver = !answer.ok && answer.error.detail === 'E_TOKEN';
      if (!isOver || isLast) return answer;
      held = undefined;
    }
    return fail({ code: 'E_CONNECTION', reason: 'refused' });
  };
  return {
    session,
    async admit() {
      const open = await send(place, 'GET', `admissions/${agent}`);
      if (!open.ok && open.error.reason === 'refused') return ok(undefined);
      const challenge = readAs(challengeSchema, open);
      if (!challenge.ok) return challenge;
      const signature = prove(challenge.value, 'admit');
      if (!signature.ok) return signature;
      return hold(
        await send(place, 'POST', 'admissions', { challenge: challenge.value, signature: signature.value }),
      );
    },
    async credential(purpose) {
      return readAs(credentialSchema, await asAgent('credentials', { purpose })) as Result<
        Credential,
        ConnectionError
      >;
    },
    async upload(purpose, key, length) {
      return readAs(uploadSchema, await asAgent('uploads', { purpose, key, length })) as Result<
        Upload,
        ConnectionError
      >;
    },
  };
}

async function send(
  { url }: PlatformPlace,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  token?: string,
): Promise<Result<unknown, ConnectionError>> {
  const headers: Record<string, string> = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/api/v1/platform/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The token would go with it.
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    });
    const bytes =
      response.body === null ? undefined : await readBounded(response.body as never, ANSWER_LIMIT);
    const value: unknown = bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
    if (response.ok) return ok(value);
    const detail = errorSchema.safeParse(value);
    const reason = response.status >= 500 ? 'unavailable' : 'refused';
    return fail({
      code: 'E_CONNECTION',
      reason,
      ...(detail.success ? { detail: detail.data.error.code } : {}),
    });
  } catch {
    // Refused, cut off, too late, or not JSON: there is no answer to act on.
    return fail({ code: 'E_CONNECTION', reason: 'unavailable' });
  }
}

function readAs<Schema extends z.ZodType>(
  schema: Schema,
  answer: Result<unknown, ConnectionError | AdmissionError>,
): Result<z.output<Schema>, ConnectionError> {
  if (!answer.ok) return fail(answer.error as ConnectionError);
  const parsed = schema.safeParse(answer.value);
  return parsed.success ? ok(parsed.data) : fail({ code: 'E_CONNECTION', reason: 'no-answer' });
}

const ANSWER_LIMIT = 256 * 1024;
const errorSchema = z.object({ error: z.object({ code: z.string().max(64) }) });
const sealedSchema = z.object({ challenge: challengeSchema, seal: z.string() });
const sessionSchema = z.object({ token: z.string(), expiresAt: z.number(), floor: z.number() });
const uploadSchema = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  expiresAt: z.number(),
});
const scopeSchema = z.object({
  agent: z.string(),
  rules: z.array(
    z.object({
      may: z.enum(['get', 'list', 'put', 'create']),
      at: z.string(),
      only: z.literal('public').exactOptional(),
    }),
  ),
});
const credentialSchema = z.union([
  z.object({
    kind: z.literal('token'),
    url: z.string(),
    token: z.string(),
    scope: scopeSchema,
    expiresAt: z.number(),
  }),
  z.object({
    kind: z.literal('s3'),
    scope: scopeSchema,
    expiresAt: z.number(),
    place: z.object({
      bucket: z.string(),
      prefix: z.string().exactOptional(),
      region: z.string(),
      endpoint: z.string().exactOptional(),
      credentials: z.object({
        accessKeyId: z.string(),
        secretAccessKey: z.string(),
        sessionToken: z.string().exactOptional(),
      }),
    }),
  }),
]);
