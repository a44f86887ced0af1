import type { JsonValue } from '@cuebook/prompt';
import { canonical } from '../turn/canonical.js';
import type { Signer } from '../turn/key/key.js';

/** A signed statement in the Dead Simple Signing Envelope, version 1, as other tools read it. */
export interface SignedEnvelope {
  readonly payloadType: typeof PAYLOAD_TYPE;
  /** The statement in base64. */
  readonly payload: string;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Signs a statement. What is signed names the type of the payload too, so that it passes for nothing else. */
export function sealStatement(statement: JsonValue, signer: Signer): SignedEnvelope {
  const payload = canonical(statement);
  const signature = Buffer.from(signer.sign(encoded(PAYLOAD_TYPE, payload)), 'base64url');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: signer.keyId, sig: signature.toString('base64') }],
  };
}

/** The pre-authentication encoding: every part with its length in bytes. */
const encoded = (type: string, body: string): string =>
  `DSSEv1 ${Buffer.byteLength(type)} ${type} ${Buffer.byteLength(body)} ${body}`;
