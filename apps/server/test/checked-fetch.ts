import { API_BASE } from '@cuebook/api';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A document as a server serves it, as far as it is read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>;
}

/** `fetch` that holds every answer of a server against the OpenAPI document. */
export interface CheckedFetch {
  readonly fetch: typeof globalThis.fetch;
  /** The operations that were answered with a yes. */
  readonly answered: ReadonlySet<string>;
  /** Answers that are not as the document says. */
  readonly mismatches: readonly string[];
}

/** Members that the document does not name are mismatches too. */
export function checkedFetch(document: ApiDocument, fetch = globalThis.fetch): CheckedFetch {
  const answered = new Set<string>();
  const mismatches: string[] = [];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${API_BASE}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  );
  const checkOf = checksOf(document);
  return {
    answered,
    mismatches,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const { pathname } = new URL(String(input));
      const asked = init?.method ?? 'GET';
      const found = operations.find(({ method, pattern }) => method === asked && pattern.test(pathname));
      if (!found || response.headers.get('content-type')?.startsWith('application/json') !== true)
        return response;
      const { path, method, operation } = found;
      const status = response.ok ? String(response.status) : 'default';
      const at = ['paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json'];
      const check = checkOf(`api#/${[...at, 'schema'].map(pointer).join('/')}`);
      const said: unknown = await response.clone().json();
      if (!check(said))
        mismatches.push(`${operation.operationId}: ${new Ajv2020().errorsText(check.errors)}`);
      if (response.ok) answered.add(operation.operationId);
      return response;
    },
  };
}

const known = new WeakMap<ApiDocument, (place: string) => ValidateFunction>();

/** The checks of a document by their place in it, each compiled once. */
function checksOf(document: ApiDocument): (place: string) => ValidateFunction {
  const before = known.get(document);
  if (before) return before;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  ajv.addSchema(document, 'api');
  const checks = new Map<string, ValidateFunction>();
  const checkOf = (place: string): ValidateFunction => {
    const check = checks.get(place) ?? ajv.compile({ $ref: place });
    checks.set(place, check);
    return check;
  };
  known.set(document, checkOf);
  return checkOf;
}

const pointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
