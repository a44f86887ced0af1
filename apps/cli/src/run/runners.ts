import type { CommandHandler } from '../command.js';

/** Who runs a target that is more than one turn, by its prefix; loaded when it is called. */
export const RUNNERS: Readonly<Record<string, () => Promise<{ readonly run: CommandHandler }>>> = {
  agent: () => import('./agent/run.js'),
  prompt: () => import('./agent/run.js'),
  team: () => import('./team/run.js'),
  workflow: () => import('./workflow/run.js'),
};
