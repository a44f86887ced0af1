// turn

// acp, line, rehearsal, mcp, catalog
export { createAcpProvider } from './acp/provider.js';
export type { SessionFile, SessionFiles } from './agent/session-files.js';
// api
export { createApiProvider } from './api/provider.js';
export { turnBody } from './body/turn-body.js';
export { defaultProvider, providerCatalog } from './catalog/catalog.js';
export { NO_CONFIG, type ProviderConfig, readProviderConfig } from './catalog/config.js';
export { createProvider, pricesOf } from './catalog/create.js';
export { type DetectedProvider, detectProviders } from './catalog/detect.js';
export { type CatalogEntry, DEFAULT_PROVIDER } from './catalog/entry.js';
// process, claude
export { createClaudeProvider } from './claude/provider.js';
// codex
export { createCodexProvider } from './codex/codex.js';
// gemini
export { createGeminiProvider } from './gemini/gemini.js';
export { createLineProvider } from './line/provider.js';
export { createMcpHandler, type McpHandler } from './mcp/handler.js';
export type { McpPrompt, McpPromptAnswer, McpPromptArgument } from './mcp/prompts.js';
export type { McpResource, McpResourceAnswer, McpResources } from './mcp/resources.js';
export { PARSE_FAILURE } from './mcp/rpc.js';
// price
export { BUILT_IN_PRICES } from './price/built-in.js';
export { costOf, priceOf, requirePriced } from './price/price.js';
export { overridePrices, readPrices } from './price/price-file.js';
export { createRehearsalProvider, REHEARSAL_CAPABILITIES } from './rehearsal/provider.js';
export { ANY_LANE, readScript, type Script, type ScriptStep } from './rehearsal/script.js';
export { furthestSessions } from './rehearsal/session-id.js';
// stream
export { DEFAULT_LIMITS } from './stream/limits.js';
export type { LiveTurn } from './stream/live-turn.js';
export { runTurn } from './stream/run-turn.js';
// telemetry
export { hasTelemetry } from './telemetry/has-telemetry.js';
export {
  addMeterProvider,
  countLostLease,
  countRun,
  countRunEnd,
  countWaiting,
} from './telemetry/metrics.js';
export { endRunTraces, traceEffect } from './telemetry/run-trace.js';
export type {
  Access,
  ApprovalAnswer,
  ApprovalRequest,
  CallerTool,
  EndReason,
  Provider,
  ProviderCapabilities,
  Sent,
  Session,
  SessionOptions,
  ToldTurn,
  ToolAnswer,
  ToolEnd,
  TurnEnd,
  TurnEvent,
  TurnInput,
  TurnLimits,
  TurnStart,
  Usage,
} from './turn.js';
