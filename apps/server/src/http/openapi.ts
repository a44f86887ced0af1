import { API_BASE, EVENTS_PATH, errorBodySchema, type Route, type RouteTable } from '@cuebook/api';
import { z } from 'zod';

/** The OpenAPI 3.1 document of tables of routes. */
export function openApi(tables: readonly RouteTable[]): object {
  const paths: Record<string, Record<string, object>> = {
    [EVENTS_PATH]: { get: EVENTS },
  };
  for (const [name, route] of tables.flatMap((table) => Object.entries(table))) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operationOf(name, route);
    paths[route.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cuebook', version: '1', description: 'Team runs over HTTP with server-sent events.' },
    servers: [{ url: API_BASE }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: z.toJSONSchema(errorBodySchema, { io: 'output' }) },
    },
  };
}

function operationOf(name: string, route: Route): object {
  const { params, query, body, answer, status = 200, summary, access } = route;
  return {
    operationId: name,
    summary,
    ...(access === 'open' ? { security: [] } : {}),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...(body ? [KEY] : [])],
    ...(body ? { requestBody: { content: contentOf(z.toJSONSchema(body, { io: 'input' })) } } : {}),
    responses: {
      [status]: { description: 'Done.', content: contentOf(z.toJSONSchema(answer, { io: 'output' })) },
      default: FAILURE,
    },
  };
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query'): readonly object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }));
}

const contentOf = (schema: object) => ({ 'application/json': { schema } });

const FAILURE = {
  description: 'Not done: the code and the sentence say why, `field` where.',
  content: contentOf({ $ref: '#/components/schemas/Error' }),
};

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The id of the command; the same one again is done once.',
  schema: { type: 'string', minLength: 1, maxLength: 150 },
};

const EVENTS = {
  operationId: 'followRun',
  summary: 'The events of a run after a cursor, then as they happen; live words without an id between them.',
  parameters: [
    { name: 'run', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'after', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } },
  ],
  responses: {
    200: { description: 'A stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    default: FAILURE,
  },
};
