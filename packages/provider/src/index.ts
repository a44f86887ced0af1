// turn

// acp, line, rehearsal, mcp, catalog
export type { AcpOptions } from './acp/options.js';
export { ACP_CAPABILITIES, createAcpProvider } from './acp/provider.js';
// api
export { API_CAPABILITIES, type ApiOptions, createApiProvider } from './api/provider.js';
export type { ApiName } from './api/vendor.js';
export { type BodyOptions, turnBody } from './body/turn-body.js';
export { defaultProvider, providerCatalog } from './catalog/catalog.js';
export { type CustomProvider, NO_CONFIG, type ProviderConfig, readProviderConfig } from './catalog/config.js';
export { type CreateOptions, createProvider, pricesOf } from './catalog/create.js';
export { type DetectedProvider, type DetectOptions, detectProviders } from './catalog/detect.js';
export { type CatalogEntry, DEFAULT_PROVIDER, type ProgramNeed, type SignIn } from './catalog/entry.js';
// process, claude
export { CLAUDE_NOT_OURS, findNotOurs, type NotOurs } from './claude/not-ours.js';
export { CLAUDE_CAPABILITIES, type ClaudeOptions, createClaudeProvider } from './claude/provider.js';
export { PROVIDER_CODES } from './codes.js';
// codex
export { CODEX_CAPABILITIES, CODEX_EXEC_CAPABILITIES, createCodexProvider } from './codex/codex.js';
export { CODEX_ENVIRONMENT, CODEX_NOT_OURS, type CodexOptions, type ConfigValue } from './codex/settings.js';
// gemini
export { createGeminiProvider, GEMINI_CAPABILITIES } from './gemini/gemini.js';
export { GEMINI_ENVIRONMENT, GEMINI_NOT_OURS, type GeminiOptions } from './gemini/settings.js';
export type { LineOptions } from './line/options.js';
export { type LineIn, type LineOut, readLine } from './line/protocol.js';
export {
  createLineProvider,
  LINE_CAPABILITIES,
  RAW_CAPABILITIES,
} from './line/provider.js';
export { createMcpHandler, type McpHandler, type McpHandlerOptions } from './mcp/handler.js';
export { type Admission, type LoopbackMcp, type LoopbackNode, startLoopbackMcp } from './mcp/loopback.js';
export type { McpPrompt, McpPromptAnswer, McpPromptArgument, McpPrompts } from './mcp/prompts.js';
export { PARSE_FAILURE } from './mcp/rpc.js';
// price
export { BUILT_IN_PRICES } from './price/built-in.js';
export { costOf, type Price, type PriceTable, priceOf, requirePriced } from './price/price.js';
export { overridePrices, readPrices } from './price/price-file.js';
export {
  createRehearsalProvider,
  REHEARSAL_CAPABILITIES,
  type RehearsalOptions,
} from './rehearsal/provider.js';
export { type Edit, readScript, type Script, type ScriptedCall, type Step } from './rehearsal/script.js';
// stream
export { type Clock, systemClock } from './stream/clock.js';
export { DEFAULT_LIMITS } from './stream/limits.js';
export type { LiveTurn, Speak } from './stream/live-turn.js';
export { runTurn, type TurnOptions } from './stream/run-turn.js';
export { failedEnd, TurnStop } from './stream/turn-error.js';
// telemetry
export { switchTelemetry } from './telemetry/api.js';
export { countRun, countWaiting } from './telemetry/metrics.js';
export { endRunTraces, traceEffect } from './telemetry/run-trace.js';
export { addUsage } from './telemetry/turn-span.js';
export type {
  Access,
  ApprovalAnswer,
  ApprovalRequest,
  CallerTool,
  Capabilities,
  Conversation,
  EndReason,
  Limits,
  Provider,
  Sent,
  Session,
  SessionOptions,
  ToolAnswer,
  ToolEnd,
  ToolRunner,
  ToolStart,
  TurnEnd,
  TurnError,
  TurnEvent,
  TurnInput,
  TurnStart,
  Usage,
} from './turn.js';
