export { TURN_CODES } from './codes.js';
export type { TurnAbout, TurnPrompt } from './prompt.js';
export { hidesReasoning, profileTurns, type TurnKindOptions, turnRuns } from './turn-kind.js';
