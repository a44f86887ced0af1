import { type GatedRequest, toMessages } from '@cuebook/prompt';

/** A request as canonical JSON: keys sorted, so that the same request gives the same bytes. */
export function requestJson(request: GatedRequest, model: string | undefined): string {
  const { tools, params, prompt } = request;
  return JSON.stringify(
    sorted({ ...(model === undefined ? {} : { model }), messages: toMessages(prompt), tools, params }),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]),
  );
}
