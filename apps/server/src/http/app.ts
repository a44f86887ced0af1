import { API_BASE, type CheckedRequest, EVENTS_PATH, NEWS_PATH, type Route, runIdSchema } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import { describeJournalError, JournalFailure } from '@cuebook/journal';
import type { Redactor } from '@cuebook/prompt';
import { type Context, Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { HealthCause } from '../health/health.js';
import type { EventStream } from '../stream/event-stream.js';
import type { StreamNews } from '../stream/news.js';
import { mayAsk, type Principal } from './auth.js';
import { badField, bodyOf, type HttpError, notFound } from './error.js';
import type { AnyGroup, AnyHandler } from './group.js';
import { readText } from './read-body.js';
import { readRequest } from './read-request.js';
import { checkOrigin, type Gate, HEADERS, identify, NO_TOKEN, NOT_ALLOWED } from './security.js';
import { toldAnswer } from './told-answer.js';

/** What an app is made of. */
export interface AppParts {
  readonly gate: Gate;
  /** Routes that belong together, each with its handlers. */
  readonly groups: readonly AnyGroup[];
  /** The live events of runs; left out: there are none. */
  readonly news?: StreamNews;
  readonly events?: EventStream;
  /** Parts that answer every request below a path by themselves, tokens included. */
  readonly mounts?: readonly HttpMount[];
  /** Files of the page by their path, such as `/` and `/app.js`. */
  readonly pages?: ReadonlyMap<string, Page>;
  /** How the process is, for those who keep it running. */
  readonly probes?: Probes;
  /** Why nothing can be changed now; left out: something can. */
  readonly refusal?: () => HttpError | undefined;
  /** What went wrong behind an answer; never told to the caller. `about` holds nothing that the caller wrote. */
  readonly onProblem: (error: unknown, about: string) => void;
  /** Masks credentials in what is answered and kept of a request. */
  readonly redactor: Redactor;
  /** How long an answer may take. */
  readonly timeoutMs?: number;
}

/** A part of the interface that is not JSON, such as objects. It checks who asks. */
export interface HttpMount {
  /** Below `/api/v1`. */
  readonly path: string;
  /** `rest` is what follows the path. */
  serve(request: Request, rest: string): Promise<Response>;
}

/** What `/healthz`, `/readyz` and `/metrics` answer. The first two need no token. */
export interface Probes {
  /** What is wrong though the process lives; undefined: nothing. */
  health(): Promise<HealthCause | undefined>;
  /** Why it cannot do its work now; undefined: it can. */
  ready(): Promise<HealthCause | undefined>;
  /** In the text format of Prometheus; undefined: nothing is counted. */
  metrics(): Promise<string | undefined>;
}

/** A file of the page. */
export interface Page {
  readonly type: string;
  /** Its bytes, as they are and compressed; undefined when the file is gone. */
  plain(): Promise<Uint8Array | undefined>;
  gzipped(): Promise<Uint8Array | undefined>;
}

/** What each request carries: the redactor of its app. */
interface Redacted {
  readonly Variables: { readonly redactor: Redactor };
}

/** The HTTP interface over groups of routes. Every request passes the same checks, in the same order. */
export function createApp(parts: AppParts): Hono<Redacted> {
  // Without one pattern of all routes, which the first request after a start would wait for.
  const app = new Hono<Redacted>({ router: new TrieRouter() });
  app.use(async (context, next) => {
    context.set('redactor', parts.redactor);
    const isPage = parts.pages?.has(context.req.path) === true;
    const refused = checkOrigin(parts.gate, context.req.raw, isPage);
    if (refused) return answerError(context, refused);
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
    // Nobody reads what follows a head: a stream behind it would be followed for ever.
    const { body } = context.res;
    if (guard('head.body', context.req.method === 'HEAD' && body !== null)) await body?.cancel();
    return undefined;
  });
  for (const { table, handlers } of parts.groups)
    for (const [name, route] of Object.entries(table)) {
      const handler = handlers[name];
      if (handler)
        app.on(route.method, honoPath(route.path), (context) => answer(parts, route, handler, context));
    }
  for (const { path, serve } of parts.mounts ?? []) {
    const start = API_BASE + path;
    const answerRest = (context: Context) => serve(context.req.raw, context.req.path.slice(start.length));
    app.all(start, answerRest);
    app.all(`${start}/*`, answerRest);
  }
  const { events } = parts;
  if (events) app.get(honoPath(EVENTS_PATH), (context) => stream(parts, events, context));
  const { news } = parts;
  if (news) app.get(honoPath(NEWS_PATH), (context) => streamNews(parts, news, context));
  app.get(`${API_BASE}/openapi.json`, async (context) => {
    const who = await identify(parts.gate, context.req.raw);
    if (guard('auth.token', who === undefined)) return answerError(context, NO_TOKEN);
    const { openApi } = await import('./openapi.js');
    return context.json(openApi(parts.groups.map(({ table }) => table)));
  });
  if (parts.probes) addProbes(app, parts, parts.probes);
  for (const [path, page] of parts.pages ?? []) app.get(path, (context) => answerPage(page, context));
  app.notFound((context) => answerError(context, unknownRoute(parts, context)));
  app.onError((error, context) => {
    parts.onProblem(error, `${context.req.method} ${routeOf(parts, context.req.path)}`);
    return answerError(context, awayError(error) ?? BROKEN);
  });
  return app;
}

async function answer(
  parts: AppParts,
  route: Route,
  handler: AnyHandler,
  context: Context,
): Promise<Response> {
  const who = await identify(parts.gate, context.req.raw);
  const isOpen = route.access === 'open';
  if (guard('auth.token', who === undefined && !isOpen)) return answerError(context, NO_TOKEN);
  const by = who ?? NOBODY;
  const refusal = route.method === 'GET' ? undefined : parts.refusal?.();
  if (!isOpen && !mayAsk(by, route.roles)) return answerError(context, NOT_ALLOWED);
  if (refusal) return answerError(context, refusal);
  const time = AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS);
  const body = await readText(context.req.raw, { limit: route.maxBody ?? MAX_BODY, signal: time });
  if (!body.ok) return answerError(context, body.error);
  const { headers, url } = context.req.raw;
  const query = new URL(url).searchParams;
  const read = readRequest(
    route,
    { params: context.req.param(), query, headers, body: body.value },
    parts.redactor,
  );
  if (!read.ok) return answerError(context, read.error);
  const { asked, command } = read.value;
  if (guard('auth.reveal', asksToReveal(asked) && !mayAsk(by, REVEALING)))
    return answerError(context, NOT_ALLOWED);
  const signal = AbortSignal.any([time, context.req.raw.signal]);
  const done = await inTime(handler(asked, { by, command, signal }), time);
  if (done === 'late') return answerError(context, TOO_LATE);
  if (!done.ok) return answerError(context, done.error);
  return context.json(toldAnswer(done.value, parts.redactor, route) as object, route.status ?? 200);
}

function addProbes(app: Hono<Redacted>, parts: AppParts, probes: Probes): void {
  app.get('/healthz', async (context) => {
    const cause = await probes.health();
    return context.json(cause ? { status: 'degraded', cause } : { status: 'ok' });
  });
  app.get('/readyz', async (context) => {
    const cause = await probes.ready();
    return cause ? answerError(context, { status: 503, ...cause }) : context.json({ status: 'ok' });
  });
  app.get('/metrics', async (context) => {
    const who = await identify(parts.gate, context.req.raw);
    if (guard('auth.token', who === undefined)) return answerError(context, NO_TOKEN);
    if (who && !mayAsk(who, SCRAPING)) return answerError(context, NOT_ALLOWED);
    const text = await probes.metrics();
    if (text === undefined) return answerError(context, NO_METRICS);
    return context.body(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}

/** Roles that may read metrics, beside the owner. `metrics` may do nothing else. */
const SCRAPING = ['viewer', 'metrics'];

const NO_METRICS: HttpError = {
  status: 503,
  code: 'E_METRICS',
  message: 'Nothing is counted: telemetry is off, or @opentelemetry/api is not installed.',
};

/** The path of a route without what a caller put into it. */
const routeOf = ({ groups }: AppParts, path: string): string =>
  groups.flatMap(({ table }) => Object.values(table)).find((route) => patternOf(route.path).test(path))
    ?.path ?? 'another path';

/** Whether confidential words are asked for. */
const asksToReveal = ({ query, body }: CheckedRequest<Route>): boolean =>
  [query, body].some((part) => {
    const { reveal } = Object(part) as { readonly reveal?: unknown };
    return reveal === true || reveal === 'true';
  });

/** Roles that see what is confidential, beside the owner. */
const REVEALING = ['operator'];

/** The event stream of a run, from a cursor in the query or from the last event that a browser has seen. */
async function stream(parts: AppParts, events: EventStream, context: Context): Promise<Response> {
  const { raw } = context.req;
  const who = await identify(parts.gate, raw);
  if (guard('auth.token', who === undefined)) return answerError(context, NO_TOKEN);
  if (who && !mayAsk(who, FOLLOWING)) return answerError(context, NOT_ALLOWED);
  const run = runIdSchema.safeParse(context.req.param('run'));
  if (!run.success) return answerError(context, badField('run', 'not the id of a run'));
  const { searchParams } = new URL(raw.url);
  const stray = [...searchParams.keys()].find((name) => name !== 'after');
  if (stray !== undefined) return answerError(context, badField(stray, 'not known here'));
  const header = raw.headers.get('last-event-id');
  const field = header === null ? 'after' : 'Last-Event-ID';
  const after = header ?? searchParams.get('after') ?? '0';
  if (!/^\d{1,15}$/.test(after)) return answerError(context, badField(field, 'the number of an event'));
  const opened = await events.open(run.data, {
    after: Number(after),
    signal: validSignal(parts, who, raw),
  });
  if (!opened.ok) return answerError(context, opened.error);
  return context.body(opened.value, 200, STREAM_HEADERS);
}

/** That something happened, in any run. */
async function streamNews(parts: AppParts, news: StreamNews, context: Context): Promise<Response> {
  const { raw } = context.req;
  const who = await identify(parts.gate, raw);
  if (guard('auth.token', who === undefined)) return answerError(context, NO_TOKEN);
  if (who && !mayAsk(who, FOLLOWING)) return answerError(context, NOT_ALLOWED);
  return context.body(await news.open(validSignal(parts, who, raw)), 200, STREAM_HEADERS);
}

/** A stream ends with its request, and with the right to follow it. */
const validSignal = ({ gate }: AppParts, who: Principal | undefined, { signal }: Request): AbortSignal =>
  (who && gate.auth.whileValid?.(who, signal)) ?? signal;

/** Roles that may follow runs, beside the owner. */
const FOLLOWING = ['viewer'];

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

async function answerPage(page: Page, context: Context): Promise<Response> {
  const isPacked = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
  const bytes = await (isPacked ? page.gzipped() : page.plain());
  if (bytes === undefined)
    return answerError(context, notFound('E_ROUTE', 'There is nothing at this address.'));
  return context.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    'content-type': page.type,
    ...(isPacked && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding',
  });
}

const answerError = (context: Context<Redacted>, error: HttpError): Response => {
  const response = context.json(bodyOf(error, context.get('redactor')), error.status, HEADERS);
  if (error.status === 401) response.headers.set('www-authenticate', 'Bearer');
  return response;
};

/** A path that is known with another method is told apart from one that is not known at all. */
function unknownRoute({ groups }: AppParts, { req }: Context): HttpError {
  const routes = groups.flatMap(({ table }) => Object.values(table));
  const known = routes.filter(({ path }) => patternOf(path).test(req.path)).map(({ method }) => method);
  if (known.length === 0) return notFound('E_ROUTE', 'There is nothing at this address.');
  const message = `This address is asked with ${[...new Set(known)].join(' or ')}.`;
  return { status: 405, code: 'E_METHOD', message };
}

const honoPath = (path: string): string => API_BASE + path.replace(/\{(\w+)\}/g, ':$1');
const patternOf = (path: string): RegExp => new RegExp(`^${API_BASE}${path.replace(/\{\w+\}/g, '[^/]+')}$`);

async function inTime<Value>(work: Promise<Value>, time: AbortSignal): Promise<Value | 'late'> {
  let stop = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    stop = () => resolve('late');
    time.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    time.removeEventListener('abort', stop);
  }
}

/** Who asks without a token, where that is allowed. */
const NOBODY: Principal = { name: 'nobody', roles: [] };

/** Records that do not answer are named; whoever asks again later is answered. */
function awayError(thrown: Error): HttpError | undefined {
  if (!(thrown instanceof JournalFailure) || thrown.error.code !== 'E_JOURNAL_UNAVAILABLE') return undefined;
  return { status: 503, code: thrown.error.code, message: describeJournalError(thrown.error) };
}

const BROKEN: HttpError = {
  status: 500,
  code: 'E_SERVER',
  message: 'Something went wrong in the server; its log says what.',
};

const TOO_LATE: HttpError = {
  status: 503,
  code: 'E_SERVER_BUSY',
  message: 'The answer took too long. Ask again; a command with the same id is done once.',
};

const TIMEOUT_MS = 60_000;
const MAX_BODY = 1024 * 1024;
