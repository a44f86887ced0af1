export { checkProject } from './check/check-project.js';
export { DEFINE_CODES } from './codes.js';
export { type Callable, findCallable, receivingPrompt } from './compose/callable.js';
export {
  type ConversationHistory,
  chosen,
  REASONING_HEADER,
  type SentMessage,
  type StepMedia,
  type StepMessage,
  sentMessages,
} from './compose/conversation.js';
export {
  type Environment,
  type HandedEnv,
  LAYERS,
  type Layer,
  type ResolvedValue,
  type VariableTrace,
} from './compose/environment.js';
export {
  argumentsText,
  filesProblem,
  type InitialMessage,
  initialMessage,
} from './compose/initial-message.js';
export { servedName, serversListed } from './compose/served.js';
export { type ComposedStep, composeStep, type StepInput, type StepRequest } from './compose/step.js';
export { HOOK_HEADER, VARIABLE_HEADER } from './compose/system.js';
export type { ToolBinding } from './compose/tools.js';
export { type Vouching, vouch } from './compose/vouch.js';
export type { AgentDefinition, SessionTool, SideConfig } from './definition/agent.js';
export { defineAgent, defineHook, defineModel, definePrompt, defineTool } from './definition/define.js';
export {
  HOOK_KINDS,
  type HookArguments,
  type HookDefinition,
  type HookKind,
  type HookToolCall,
  type HookToolResult,
} from './definition/hook.js';
export type { ModelCapabilities, ModelDefinition } from './definition/model.js';
export type { Names } from './definition/names.js';
export type {
  PromptContent,
  PromptDefinition,
  PromptEnvPart,
  PromptIncludePart,
  PromptInput,
  PromptPart,
  PromptTextPart,
  ReasoningConfig,
  StructuredPrompt,
  SubagentToolConfig,
  SubpromptConfig,
  ToolArgs,
  ToolConfig,
} from './definition/prompt.js';
export type { ThreadState, ToolDefinition, ToolInput, ToolResult } from './definition/tool.js';
export type { Env, VariableDefinition } from './definition/variable.js';
export type {
  ApprovalNeed,
  ArgsCheck,
  Callee,
  HookAnswer,
  HookCall,
  LiveProject,
  LiveToolAnswer,
  LiveToolCall,
  StateView,
} from './live/contract.js';
export { type LiveOptions, openLiveProject } from './live/open.js';
export type { Catalog, CatalogServers, DefinitionEntry } from './load/catalog.js';
export type { DefinitionKind } from './load/files.js';
export type { LoadLimits } from './load/host.js';
export { type KeptProject, loadProject, type ProjectOptions } from './load/project.js';
export {
  createDefineProfiles,
  type DefineProfiles,
  type DefinitionSource,
  type ProfileOptions,
  sampleInput,
} from './profile.js';
export type { AgentData, HookData, ModelData, SideData, ToolData } from './shape/other-shapes.js';
export type { PromptData, ToolEntry } from './shape/prompt-shape.js';
export type { JsonSchema, VariableData } from './shape/values.js';
