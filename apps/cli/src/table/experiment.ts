import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { BY } from './arguments.js';

/** Commands of experiments. */
export const EXPERIMENT_COMMANDS: readonly Command[] = [
  {
    name: 'experiment',
    summary: 'Compare two versions of a scenario on real agents',
    details: 'Nothing is ever promoted automatically. Exit code 1 when an experiment was halted.',
    actions: [
      ['list', 'list the experiments; the default'],
      ['plan', 'show how long an experiment would take'],
      ['start NAME --scenario NAME', 'start one and fix its plan, or change the share of a running one'],
      [
        'count [DAY]',
        'count the outcomes of a day that has ended, once, and halt every experiment whose candidate does harm; without a day, all days that were not counted',
      ],
      ['show NAME', 'show the result so far; you may look every day'],
      ['step NAME', 'decide from the counts: widen, roll back or wait; with --promote, give it to everybody'],
      ['end NAME', 'give everybody the assigned version'],
    ],
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'what', description: 'an experiment, or a day', required: false },
    ],
    flags: [
      BY,
      { name: 'scenario', value: 'NAME', description: 'start: the scenario' },
      {
        name: 'control',
        value: 'VERSION',
        description: 'start: the version as it is; the assigned one by default',
      },
      {
        name: 'candidate',
        value: 'VERSION',
        description: 'start: the version that is tried; the newest by default',
      },
      {
        name: 'share',
        value: 'SHARE',
        description: 'start, plan: how many get the candidate; 0.5 by default',
      },
      {
        name: 'agents',
        value: 'N',
        description: 'plan: how many agents; those that are published by default',
      },
      { name: 'effect', value: 'N', description: 'the smallest difference worth finding; 0.05 by default' },
      { name: 'power', value: 'N', description: 'the chance of finding it; 0.8 by default' },
      {
        name: 'alpha',
        value: 'N',
        description: 'the chance of a false positive over all looks; 0.05 by default',
      },
      {
        name: 'harm',
        value: 'N',
        description: 'a loss that must be halted soon; twice the effect by default',
      },
      { name: 'baseline', value: 'N', description: 'the current value of the metric; 0.3 by default' },
      {
        name: 'spread',
        value: 'N',
        description: 'how much agents differ: standard deviation of their means; 0 by default',
      },
      { name: 'per-day', value: 'N', description: 'outcomes of one agent a day; 1 by default' },
      { name: 'metric', value: 'NAME', description: 'what the candidate should improve; liked by default' },
      {
        name: 'guard',
        value: 'NAME',
        description: 'what must not get worse; answered by default',
        repeatable: true,
      },
      { name: 'stages', value: 'LIST', description: 'shares up to 1; 0.05,0.25,0.5,1 by default' },
      {
        name: 'outcomes',
        value: 'N',
        description: 'outcomes that each arm needs in a stage; 200 by default',
      },
      { name: 'margin', value: 'N', description: 'an acceptable loss; 0.05 by default' },
      { name: 'dry-run', description: 'step: print the decision and change nothing' },
      { name: 'promote', description: 'step: give the candidate to everybody' },
      {
        name: 'id',
        value: 'ID',
        description: 'step: an id of your own; the same id again does nothing and answers the same',
      },
    ],
    inProject: true,
    examples: [],
    shown: [commandLine`experiment plan --agents 200 --effect 0.05`, commandLine`experiment show warm`],
    load: () => import('../commands/experiment.js'),
  },
];
