import type { Command } from './command.js';
import { ADOPT_COMMANDS } from './table/adopt.js';
import { CLUSTER_COMMANDS } from './table/cluster.js';
import { EVAL_COMMANDS } from './table/eval.js';
import { EXPERIMENT_COMMANDS } from './table/experiment.js';
import { HELP_COMMANDS } from './table/help.js';
import { LIBRARY_COMMANDS } from './table/library.js';
import { PLATFORM_COMMANDS } from './table/platform.js';
import { RECORD_COMMANDS } from './table/record.js';
import { RUNNING_COMMANDS } from './table/running.js';
import { SOURCE_COMMANDS } from './table/sources.js';
import { TEAM_COMMANDS } from './table/team.js';
import { TEXT_COMMANDS } from './table/text.js';
import { THREAD_COMMANDS } from './table/thread.js';
import { WORKFLOW_COMMANDS } from './table/workflow.js';

/** Every command, in the order help lists them. */
export const COMMANDS: readonly Command[] = [
  ...SOURCE_COMMANDS,
  ...ADOPT_COMMANDS,
  ...RUNNING_COMMANDS,
  ...TEAM_COMMANDS,
  ...THREAD_COMMANDS,
  ...EVAL_COMMANDS,
  ...WORKFLOW_COMMANDS,
  ...RECORD_COMMANDS,
  ...PLATFORM_COMMANDS,
  ...CLUSTER_COMMANDS,
  ...LIBRARY_COMMANDS,
  ...EXPERIMENT_COMMANDS,
  ...TEXT_COMMANDS,
  ...HELP_COMMANDS,
];
