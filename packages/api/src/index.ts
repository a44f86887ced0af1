// The client.
export { type Client, createClient, type Method, type Methods, methodsOf } from './client/client.js';
export type { Followed, FollowOptions } from './client/follow.js';
export type { ClientOptions } from './client/options.js';
export { createSseParser, type SseMessage, type SseParser } from './client/sse.js';
export { API_CODES } from './codes.js';
export type { Answer, ApiError } from './error.js';
// The routes.
export { GRAPH_ROUTES } from './route/graph.js';
export { HOST_ROUTES } from './route/host.js';
export { PLATFORM_ROUTES } from './route/platform.js';
export { PROJECT_ROUTES } from './route/project.js';
export { RECORD_ROUTES } from './route/record.js';
export {
  type AnswerOf,
  API_BASE,
  type Asked,
  COMMAND,
  DONE,
  type InputOf,
  NOTHING,
  type Route,
  type RouteTable,
  RUN_PARAMS,
} from './route/route.js';
export { RUN_ROUTES } from './route/runs.js';
export { EVENTS_PATH, ROUTES } from './route/table.js';
// What goes over the wire.
export {
  commandIdSchema,
  diagnosticSchema,
  errorBodySchema,
  type JsonValue,
  jsonSchema,
  runIdSchema,
} from './schema/base.js';
export { eventPageSchema, liveEventSchema, runEventSchema, turnEventSchema } from './schema/event.js';
export type {
  AppliedView,
  ApprovalView,
  BudgetView,
  CleanedView,
  EdgeView,
  EnvelopeView,
  HoldView,
  LiveView,
  NeedView,
  NodeView,
  ProviderView,
  ReportView,
  RoleView,
  RunEventView,
  RunSummaryView,
  RunView,
  TurnEventView,
  TurnSummaryView,
  TurnView,
  WaitView,
  WorkspaceView,
} from './schema/views.js';
