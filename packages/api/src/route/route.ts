import { commandIdSchema, runIdSchema } from '../schema/base.js';
import * as z from '../zod.js';

/** One thing that can be asked of a server, as data: the server, the client and the OpenAPI document derive from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with `{name}` for each of `params`. */
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Left out: the request has no body. */
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** 200 where it is left out. */
  readonly status?: 200 | 201;
  /** `open`: asked without a token. Left out: with one. */
  readonly access?: 'open';
  /** Which roles of tokens may ask. Left out: the owner's alone. */
  readonly roles?: readonly string[];
  /** Bytes of a body that are read. Left out: 1 MiB. */
  readonly maxBody?: number;
  /** It answers names of files and of what stands in them: none is told with a credential in it. */
  readonly tellsNames?: true;
}

/** Routes by the name of the client's method. */
export type RouteTable = Readonly<Record<string, Route>>;

/** The answer of a route as the client hands it out. */
export type AnswerOf<Each extends Route> = z.output<Each['answer']>;

/** What a handler is given: everything that the request says, checked. */
export interface CheckedRequest<Each extends Route> {
  readonly params: z.output<Each['params']>;
  readonly query: z.output<Each['query']>;
  readonly body: Each['body'] extends z.ZodType ? z.output<Each['body']> : undefined;
}

/** What the client's method takes: params, query and body in one. */
export type InputOf<Each extends Route> = Given<Each['params']> &
  Given<Each['query']> &
  (Each['body'] extends z.ZodType ? z.input<Each['body']> : unknown);

/** The strict object without keys would forbid those of the others. */
type Given<Schema extends z.ZodObject> = keyof Schema['shape'] extends never ? unknown : z.input<Schema>;

/** The path that every route stands under. */
export const API_BASE = '/api/v1';

/** No params, or no query. */
export const NOTHING = z.strictObject({});
/** Every route of a run. */
export const RUN_PARAMS = z.strictObject({ run: runIdSchema });
/** A body that says nothing but which command it is. */
export const COMMAND = z.strictObject({ id: commandIdSchema.optional() });
/** What a command without a word of its own answers. */
export const DONE = z.object({ done: z.literal(true) });
