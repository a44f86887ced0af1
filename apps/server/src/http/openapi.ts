import { API_BASE, built, EVENTS_PATH, errorBodySchema, type Route, type RouteTable } from '@cuebook/api';
import { z } from 'zod';

/** The OpenAPI 3.1 document of tables of routes. */
export function openApi(tables: readonly RouteTable[]): object {
  const schemas: Record<string, object> = {};
  const schemaOf: SchemaOf = (schema, io) => {
    const { $schema: _, $defs, ...own } = z.toJSONSchema(built(schema), { io });
    Object.assign(schemas, atComponents($defs ?? {}));
    return atComponents(own);
  };
  const paths: Record<string, Record<string, object>> = { [EVENTS_PATH]: { get: EVENTS } };
  for (const [name, route] of tables.flatMap((table) => Object.entries(table))) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operationOf(name, route, schemaOf);
    paths[route.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cuebook',
      version: '1',
      description: 'Runs of every kind and the platform over HTTP, with server-sent events.',
    },
    servers: [{ url: API_BASE }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorBodySchema, 'output'), ...schemas },
    },
  };
}

/** A schema as this document has it: what several share stands once, among the components. */
type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;
type JsonSchema = Pick<z.core.JSONSchema.JSONSchema, 'properties' | 'required'>;

const atComponents = <Value extends object>(schema: Value): Value =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Value;

function operationOf(name: string, route: Route, schemaOf: SchemaOf): object {
  const { params, query, body, answer, status = 200, summary, access } = route;
  return {
    operationId: name,
    summary,
    ...(access === 'open' ? { security: [] } : {}),
    parameters: [
      ...parametersOf(schemaOf(params, 'input'), 'path'),
      ...parametersOf(schemaOf(query, 'input'), 'query'),
      ...(body ? [KEY] : []),
    ],
    ...(body ? { requestBody: { content: contentOf(schemaOf(body, 'input')) } } : {}),
    responses: {
      [status]: { description: 'Done.', content: contentOf(schemaOf(answer, 'output')) },
      default: FAILURE,
    },
  };
}

function parametersOf(
  { properties = {}, required = [] }: JsonSchema,
  place: 'path' | 'query',
): readonly object[] {
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
