import type { ApiAnswer } from '../error.js';
import type { AnswerOf, InputOf, Route, RouteTable } from '../route/route.js';
import { ROUTES } from '../route/table.js';
import { type Followed, type FollowOptions, follow } from './follow.js';
import type { ClientOptions } from './options.js';
import { send } from './send.js';
import { type NewsOptions, type RunNews, watch } from './watch.js';

/** One method for each route of a table. */
export type Methods<Table extends RouteTable> = { readonly [Name in keyof Table]: Method<Table[Name]> };

/** Takes params, query and body in one; left out where there is nothing to say. Never throws. */
export type Method<Each extends Route> =
  object extends InputOf<Each>
    ? (input?: InputOf<Each>) => Promise<ApiAnswer<AnswerOf<Each>>>
    : (input: InputOf<Each>) => Promise<ApiAnswer<AnswerOf<Each>>>;

/** A server, as its callers see it. */
export type Client = Methods<typeof ROUTES> & {
  /** The events of a run from a cursor on, through lost connections. */
  readonly follow: (options: FollowOptions) => AsyncGenerator<Followed, void, void>;
  /** In which runs something happens, through lost connections. */
  readonly watch: (options: NewsOptions) => AsyncGenerator<RunNews, void, void>;
};

/**
 * A client for Node and browsers. Each command carries an id of its own unless one is given, so that the caller
 * can give it again after a lost answer: with the same `id` it is done once.
 */
export const createClient = (options: ClientOptions): Client => ({
  ...methodsOf(ROUTES, options),
  follow: (following) => follow(options, following),
  watch: (watching) => watch(options, watching),
});

/** The methods of any table of routes. */
export function methodsOf<Table extends RouteTable>(table: Table, options: ClientOptions): Methods<Table> {
  const methods = Object.entries(table).map(([name, route]) => [
    name,
    (input: Readonly<Record<string, unknown>> = {}) => send(options, route, input),
  ]);
  return Object.fromEntries(methods) as Methods<Table>;
}
