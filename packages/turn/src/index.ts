export type { TurnPrompt } from './prompt.js';
export { hidesReasoning, profileTurns, turnRuns } from './turn-kind.js';
