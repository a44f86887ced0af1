import { type ApiAnswer, type ApiError, type Client, createClient } from '@cuebook/api';
import {
  type AdmissionError,
  type Challenge,
  type CredentialSource,
  type KeySigner,
  signChallenge,
} from '@cuebook/bundle';
import { fail, ok, type Result } from '@cuebook/prompt';

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
  /** The code that the platform gave, and the status of HTTP. */
  readonly detail?: string;
  readonly status?: number;
}

/** What an agent is told when it shows its key. */
export interface AdmittedSession {
  readonly token: string;
  readonly expiresAt: number;
  readonly floor: number;
}

/** The agent's end of the platform's interface. The session is opened with the key whenever there is none. */
export interface PlatformConnection extends CredentialSource {
  /** Answers the challenge that the owner opened, if there is one. Undefined: there is none. */
  admit(): Promise<Result<AdmittedSession | undefined, ConnectionError | AdmissionError>>;
  /** Answers a challenge to take over with this key, if its owner opened one. False: there is none for it. */
  takeOver(): Promise<Result<boolean, ConnectionError | AdmissionError>>;
  /** Shows the key and opens a session. */
  session(): Promise<Result<AdmittedSession, ConnectionError | AdmissionError>>;
}

export function connectPlatform({ url, platform, agent, signer }: PlatformPlace): PlatformConnection {
  const client = (token?: string): Client =>
    createClient({
      url,
      timeoutMs: 30_000,
      maxAnswer: ANSWER_LIMIT,
      ...(token === undefined ? {} : { token }),
    });
  let held: AdmittedSession | undefined;
  const hold = (answer: ApiAnswer<AdmittedSession>): Result<AdmittedSession, ConnectionError> => {
    if (!answer.ok) return fail(connectionError(answer.error));
    held = answer.value;
    return answer;
  };
  const prove = (challenge: Challenge, purpose: Challenge['purpose']) =>
    signChallenge(challenge, { platform, agent, purpose }, signer);
  const session: PlatformConnection['session'] = async () => {
    const asked = await client().askSession({ agent });
    if (!asked.ok) return fail(connectionError(asked.error));
    const signature = prove(asked.value.challenge, 'session');
    if (!signature.ok) return signature;
    return hold(await client().openSession({ ...asked.value, signature: signature.value }));
  };
  /** With the session that is held; a new one when it has ended or was taken back. */
  const asAgent = async <Value>(
    ask: (as: Client) => Promise<ApiAnswer<Value>>,
  ): Promise<Result<Value, ConnectionError | AdmissionError>> => {
    for (const isLast of [false, true]) {
      const opened = held === undefined ? await session() : ok(held);
      if (!opened.ok) return opened;
      const answer = await ask(client(opened.value.token));
      if (answer.ok) return answer;
      if (answer.error.code !== 'E_TOKEN' || isLast) return fail(connectionError(answer.error));
      held = undefined;
    }
    return fail({ code: 'E_CONNECTION', reason: 'refused' });
  };
  return {
    session,
    async admit() {
      const open = await client().getChallenge({ agent });
      if (!open.ok) {
        const error = connectionError(open.error);
        return error.reason === 'refused' ? ok(undefined) : fail(error);
      }
      const signature = prove(open.value, 'admit');
      if (!signature.ok) return signature;
      return hold(await client().finishAdmission({ challenge: open.value, signature: signature.value }));
    },
    async takeOver() {
      const open = await client().getChallenge({ agent });
      if (!open.ok) {
        const error = connectionError(open.error);
        return error.reason === 'refused' ? ok(false) : fail(error);
      }
      const isForIt = open.value.purpose === 'rotate' && open.value.new_key === signer.publicKey.hex;
      if (!isForIt) return ok(false);
      const signature = prove(open.value, 'rotate');
      if (!signature.ok) return signature;
      const held = hold(
        await client().finishAdmission({ challenge: open.value, signature: signature.value }),
      );
      return held.ok ? ok(true) : held;
    },
    credential: (purpose) => asAgent((as) => as.issueCredential({ purpose })),
    upload: (purpose, key, length) => asAgent((as) => as.issueUpload({ purpose, key, length })),
  };
}

/** What a failed answer means to an agent. Without an answer of the platform there is nothing to act on. */
function connectionError({ code, status }: ApiError): ConnectionError {
  const isOurs = code !== 'E_API_ANSWER';
  if (status === 0 || status >= 500) return { code: 'E_CONNECTION', reason: 'unavailable' };
  if (status < 300) return { code: 'E_CONNECTION', reason: 'no-answer' };
  return { code: 'E_CONNECTION', reason: 'refused', status, ...(isOurs ? { detail: code } : {}) };
}

const ANSWER_LIMIT = 256 * 1024;
