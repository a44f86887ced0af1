// What a person is asked.
export { askedParts } from './asked.js';
// The client.
export { type Client, createClient, methodsOf } from './client/client.js';
export type { Followed } from './client/follow.js';
export { createSseParser, type SseMessage } from './client/sse.js';
export type { ApiAnswer, ApiError } from './error.js';
// Long prompts.
export { headOfTurn, isCut } from './packed/head.js';
export { packTurn, unpackTurn } from './packed/turn.js';
// The routes.
export { COMPARISON_ROUTES } from './route/comparison.js';
export type { EXPERIMENT_ROUTES } from './route/experiment.js';
export { FRAGMENT_ROUTES } from './route/fragment.js';
export { GRAPH_ROUTES } from './route/graph.js';
export { HOST_ROUTES } from './route/host.js';
export { LIBRARY_ROUTES } from './route/library.js';
export { PEOPLE_ROUTES } from './route/people.js';
export { PLATFORM_ROUTES } from './route/platform.js';
export { PROJECT_ROUTES } from './route/project.js';
export { QUOTA_ROUTES } from './route/quota.js';
export { RECORD_ROUTES } from './route/record.js';
export {
  type AnswerOf,
  API_BASE,
  type CheckedRequest,
  NOTHING,
  type Route,
  type RouteTable,
} from './route/route.js';
export { RUN_ROUTES } from './route/runs.js';
export { SCHEDULE_ROUTES } from './route/schedule.js';
export { SEARCH_ROUTES } from './route/search.js';
export { SIGN_IN_ROUTES } from './route/sign-in.js';
export { EVENTS_PATH, NEWS_PATH, ROUTES } from './route/table.js';
export { TURN_ROUTES } from './route/turn.js';
export type { VERSION_ROUTES } from './route/version.js';
export { WEBHOOK_ROUTES } from './route/webhook.js';
export { WORKER_ROUTES } from './route/worker.js';
// What goes over the wire.
export { commandIdSchema, errorBodySchema, type JsonValue, runIdSchema } from './schema/base.js';
export type { CardDraftBody, CardView } from './schema/card.js';
export type { PromptLibraryView } from './schema/fragment.js';
export type { RenderedView, TargetSourceView } from './schema/library.js';
export type { ProposalView } from './schema/place.js';
export type { JobView, LibraryVersionView, PlatformView } from './schema/platform.js';
export type {
  AblationView,
  AppliedView,
  ApprovalView,
  BudgetView,
  ComparisonView,
  EnvelopeView,
  HoldView,
  InjectionView,
  LiveView,
  NeedView,
  NodeView,
  PersonView,
  QuotaUseView,
  ReportView,
  RunEventView,
  RunSummaryView,
  RunView,
  ScheduleView,
  ScoresView,
  StepRunView,
  TakeAnswerView,
  TurnSummaryView,
  TurnView,
  TurnWireView,
  WaitView,
  WorkerView,
  WorkView,
} from './schema/views.js';
export { workerSchema } from './schema/worker.js';
// Schemas are built at the first look.
export { built } from './zod.js';
