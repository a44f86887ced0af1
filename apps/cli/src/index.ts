export type {
  Answer,
  AskOptions,
  GatedPrompt,
  HistoryMessage,
  Inputs,
  PromptArguments,
  PromptCall,
  TargetInput,
} from './program-call/prompt.js';
export { prompt } from './program-call/prompt.js';
export { type StartOptions, start } from './program-call/start.js';
export type { RunDocument } from './run/document.js';
export { run } from './run.js';
