export { AGENT_FILE, type AgentFile, readAgentFile } from './agent-file.js';
export { agentFolder, agentKeyFile, nextKeyFile, openAgentDesk, readAgentKey } from './agent-home.js';
export { type Desk as ResidentDesk, openDesk } from './desk.js';
export type { ResidentVoice } from './drivers.js';
export { INVITATION_FORMAT, type Invitation, readInvitation } from './invitation.js';
export { residentConfig } from './kind/open.js';
export { residentRuns } from './kind/resident-kind.js';
export { residentMachine } from './life/machine.js';
export type {
  ChosenAction,
  ResidentCommand,
  ResidentConfig,
  ResidentEvent,
  ResidentState,
  TrustFacts,
} from './life/state.js';
export { dayOf } from './life/world.js';
export { connectPlatform } from './platform-connection.js';
export { createResident, createSync, RESIDENT_DEFAULTS, residentRun } from './resident.js';
export { SAMPLE_SCRIPT } from './sample-script.js';
