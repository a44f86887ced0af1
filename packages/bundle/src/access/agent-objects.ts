import { fail, ok, type Result } from '@cuebook/prompt';
import type { ObjectError, Objects } from '../objects/contract.js';
import { type Credential, openCredential } from './credential.js';
import type { Upload } from './presign.js';
import { isAllowed } from './scope.js';
import { type AccessError, type Purpose, purposeOf } from './scope-of.js';

/** How an admitted agent gets credentials from its platform. */
export interface CredentialSource {
  credential(purpose: Purpose): Promise<Result<Credential, AccessError | { readonly code: string }>>;
  /** Only called where the credential is one of S3. */
  upload(
    purpose: Purpose,
    key: string,
    length: number,
  ): Promise<Result<Upload, AccessError | { readonly code: string }>>;
}

/**
 * The store as an agent sees it: for each key the credential of its purpose is fetched, kept, and renewed before it
 * ends. Without a credential everything is `denied`, and nothing is asked of the store.
 */
export function agentObjects(connection: CredentialSource, now: () => number): Objects {
  const held = new Map<string, Held>();
  const open = async (key: string): Promise<Result<Held, ObjectError>> => {
    const purpose = purposeOf(key);
    const name = purpose.kind === 'registry' ? '' : `${purpose.kind}/${purpose.id}`;
    const known = held.get(name);
    if (known !== undefined && known.credential.expiresAt - now() > RENEW_MS) return ok(known);
    const credential = await connection.credential(purpose);
    if (!credential.ok) {
      held.delete(name);
      return fail({ code: 'E_OBJECT', reason: 'denied', key, detail: credential.error.code });
    }
    // The oldest go first: an agent that looks at many places keeps a bounded number of credentials.
    if (held.size >= MAX_HELD) held.delete(held.keys().next().value ?? '');
    const opened = { purpose, credential: credential.value, objects: openCredential(credential.value) };
    held.set(name, opened);
    return ok(opened);
  };
  return {
    async get(key, options) {
      const opened = await open(key);
      return opened.ok ? opened.value.objects.get(key, options) : opened;
    },
    async list(prefix, options) {
      const opened = await open(prefix);
      return opened.ok ? opened.value.objects.list(prefix, options) : opened;
    },
    async remove(key) {
      return fail({ code: 'E_OBJECT', reason: 'denied', key });
    },
    async put(key, bytes, options = {}) {
      const opened = await open(key);
      if (!opened.ok) return opened;
      const { credential, objects, purpose } = opened.value;
      const needsAddress = credential.kind === 's3' && !isAllowed(credential.scope, { act: 'put', key });
      if (!needsAddress) return objects.put(key, bytes, options);
      const upload = await connection.upload(purpose, key, bytes.length);
      if (!upload.ok) return fail({ code: 'E_OBJECT', reason: 'denied', key, detail: upload.error.code });
      return sendUpload(key, bytes, upload.value);
    },
  };
}

/** Writes to a signed address. One try: after a lost answer the same write says `exists`, and reading settles it. */
export async function sendUpload(
  key: string,
  bytes: Uint8Array,
  { url, headers }: Upload,
): Promise<Result<void, ObjectError>> {
  // The length is set by `fetch` from the body, and must be the one that was signed.
  const { 'content-length': _, ...sent } = headers;
  try {
    const body = new Uint8Array(bytes);
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(url, { method: 'PUT', headers: sent, body, redirect: 'error', signal });
    await response.body?.cancel();
    if (response.ok) return ok(undefined);
    const reason = response.status === 412 ? 'exists' : response.status === 403 ? 'denied' : 'unavailable';
    return fail({ code: 'E_OBJECT', reason, key, detail: `${response.status}` });
  } catch {
    // Refused, cut off or too late: all that is known is that no answer came.
    return fail({ code: 'E_OBJECT', reason: 'unavailable', key });
  }
}

interface Held {
  readonly purpose: Purpose;
  readonly credential: Credential;
  readonly objects: Objects;
}

const RENEW_MS = 2 * 60_000;
const MAX_HELD = 64;
