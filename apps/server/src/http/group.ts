import type { AnswerOf, CheckedRequest, JsonValue, Route, RouteTable } from '@cuebook/api';
import type { Result } from '@cuebook/prompt';
import type { Principal } from './auth.js';
import type { HttpError } from './error.js';

/** Routes that belong together, with what answers them. An app is made of any number of these. */
export interface RouteGroup<Table extends RouteTable = RouteTable> {
  readonly table: Table;
  readonly handlers: { readonly [Name in keyof Table]: RouteHandler<Table[Name]> };
}

/** Answers one route. It is given nothing that has not been checked, and throws for nothing that is expected. */
export type RouteHandler<Each extends Route> = (
  asked: CheckedRequest<Each>,
  context: RequestContext,
) => Promise<Result<Immutable<AnswerOf<Each>>, HttpError>>;

/** What is known of a request beside its words. */
export interface RequestContext {
  /** Who asks. */
  readonly by: Principal;
  /** The id of the command: the caller's own, or a fresh one. */
  readonly command: string;
  /** The caller is gone, or the time is up. */
  readonly signal: AbortSignal;
}

/** A value that nobody changes. Any JSON is that already. */
export type Immutable<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
      : Value;

/** A group as an app takes it. */
export type AnyGroup = {
  readonly table: RouteTable;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
};

/** A handler without the types of its route. */
export type AnyHandler = (
  asked: CheckedRequest<Route>,
  context: RequestContext,
) => Promise<Result<unknown, HttpError>>;

/** A group whose handlers fit its table. */
export const routeGroup = <Table extends RouteTable>(
  table: Table,
  handlers: RouteGroup<Table>['handlers'],
): AnyGroup => ({ table, handlers: handlers as unknown as AnyGroup['handlers'] });
