export { type ModelFetch, modelFetch } from './in-process.js';
export type { Lane } from './lane.js';
export type { RecordedRequest } from './request.js';
export { type ModelServer, startModelServer } from './server.js';
export type { ScriptedCall, ScriptedError, ScriptedStep, ScriptedUsage, Step } from './step.js';
