export { AGENT_FILE, type AgentFile, readAgentFile } from './agent-file.js';
export { RESIDENT_CODES } from './codes.js';
export { type ComposedDeed, composeDeed, type DeedError, type DeedInput } from './compose.js';
export { type Desk as ResidentDesk, type DeskOptions, openDesk } from './desk.js';
export type { ResidentVoice } from './drivers.js';
export type { Deed } from './life/deed.js';
export { residentMachine } from './life/machine.js';
export type {
  DeedDone,
  ResidentCommand,
  ResidentConfig,
  ResidentEvent,
  ResidentState,
  TrustFacts,
} from './life/state.js';
export { matchScore } from './look/match.js';
export { connectPlatform } from './platform-connection.js';
export {
  createResident,
  createSync,
  RESIDENT_DEFAULTS,
  type ResidentOptions,
  residentRun,
} from './resident.js';
export { SAMPLE_SCRIPT } from './sample-script.js';
