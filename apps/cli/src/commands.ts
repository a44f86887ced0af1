import type { Command } from './command.js';
import { ADOPT_COMMANDS } from './table/adopt.js';
import { AGENT_COMMANDS } from './table/agent.js';
import { CARD_COMMANDS } from './table/card.js';
import { CLUSTER_COMMANDS } from './table/cluster.js';
import { EVAL_COMMANDS } from './table/eval.js';
import { EXPERIMENT_COMMANDS } from './table/experiment.js';
import { HELP_COMMANDS } from './table/help.js';
import { LIBRARY_COMMANDS } from './table/library.js';
import { PLATFORM_COMMANDS } from './table/platform.js';
import { RECORD_COMMANDS } from './table/record.js';
import { REGISTER_COMMANDS } from './table/register.js';
import { RUNNING_COMMANDS } from './table/running.js';
import { SERVER_COMMANDS } from './table/server.js';
import { SOURCE_COMMANDS } from './table/sources.js';
import { TEAM_COMMANDS } from './table/team.js';
import { TEXT_COMMANDS } from './table/text.js';
import { THREAD_COMMANDS } from './table/thread.js';
import { WORKFLOW_COMMANDS } from './table/workflow.js';

/** Commands that help lists under one title. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Every command by group, in the order help lists them. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Write, check and explain prompts:', commands: SOURCE_COMMANDS },
  { title: 'Import and export:', commands: ADOPT_COMMANDS },
  {
    title: 'Run prompts, agents, workflows and teams:',
    commands: [
      ...RUNNING_COMMANDS,
      ...SERVER_COMMANDS,
      ...REGISTER_COMMANDS,
      ...TEAM_COMMANDS,
      ...THREAD_COMMANDS,
      ...WORKFLOW_COMMANDS,
    ],
  },
  { title: 'Measure answers:', commands: EVAL_COMMANDS },
  { title: 'Records:', commands: RECORD_COMMANDS },
  {
    title: 'Publish prompts to agents:',
    commands: [
      ...CARD_COMMANDS,
      ...PLATFORM_COMMANDS,
      ...AGENT_COMMANDS,
      ...LIBRARY_COMMANDS,
      ...EXPERIMENT_COMMANDS,
    ],
  },
  { title: 'Kubernetes:', commands: CLUSTER_COMMANDS },
  { title: 'Text:', commands: TEXT_COMMANDS },
  { title: 'Help:', commands: HELP_COMMANDS },
];

/** Every command. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
