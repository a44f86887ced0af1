import { guard } from '@cuebook/guard';
import { failure, type Id, INVALID_PARAMS, RESOURCE_NOT_FOUND, success } from './rpc.js';

/** A text that clients may read, as they list it. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Addresses of one form. */
export interface McpResourceTemplate extends Omit<McpResource, 'uri'> {
  readonly uriTemplate: string;
}

export type McpResourceAnswer =
  | { readonly ok: true; readonly text: string; readonly mimeType?: string }
  /** `code` is one of ours. */
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The texts that a server offers. */
export interface McpResources {
  readonly list: () => Promise<readonly McpResource[]>;
  readonly templates: readonly McpResourceTemplate[];
  /** Undefined for an address that is none of ours. A rejection becomes an error that tells nothing. */
  readonly read: (uri: string) => Promise<McpResourceAnswer | undefined>;
}

/** UTF-16 units of an address. */
const MAX_URI = 2_000;

/** Answers `resources/read`. What it answers is what the client is told: it is cleaned before. */
export async function readResource(resources: McpResources, id: Id, uri: unknown): Promise<unknown> {
  if (typeof uri !== 'string') return failure(id, INVALID_PARAMS, 'uri has to be a string');
  const answer = guard('mcp.uri', uri.length > MAX_URI)
    ? undefined
    : await resources
        .read(uri)
        .catch((): McpResourceAnswer => ({ ok: false, code: 'E_INTERNAL', message: 'the text failed' }));
  if (answer === undefined) return failure(id, RESOURCE_NOT_FOUND, 'no such resource');
  if (!answer.ok)
    return failure(id, INVALID_PARAMS, `${answer.code} ${answer.message}`, { code: answer.code });
  const { text, mimeType = 'text/plain' } = answer;
  return success(id, { contents: [{ uri, mimeType, text }] });
}
