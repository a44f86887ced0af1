import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** Commands of experiments. */
export const EXPERIMENT_COMMANDS: readonly Command[] = [
  {
    name: 'experiment',
    summary: 'Compare two versions of a scenario on real agents',
    details:
      'Actions: list (by default); plan says how long an experiment would take; start NAME --scenario NAME begins one and fixes its plan, or changes the share of one that runs; count [DAY] counts what came of a day that has ended, once, and halts every experiment whose candidate does harm (without a day: all that were not counted); show NAME is the result so far, which may be looked at every day; step NAME decides from what was counted: wider, back, or wait, and with --promote everybody; end NAME gives everybody the assigned version. Nothing is ever promoted by itself. Exit code 1 when an experiment was halted.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'what', description: 'an experiment, or a day', required: false },
    ],
    flags: [
      { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' },
      { name: 'scenario', value: 'NAME', description: 'start: what is tried' },
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
      { name: 'power', value: 'N', description: 'the chance with which it is to be found; 0.8 by default' },
      {
        name: 'alpha',
        value: 'N',
        description: 'the chance of a false alarm over all looks; 0.05 by default',
      },
      {
        name: 'harm',
        value: 'N',
        description: 'a loss that must be halted soon; twice the effect by default',
      },
      { name: 'baseline', value: 'N', description: 'what the metric is now; 0.3 by default' },
      { name: 'spread', value: 'N', description: 'how far agents lie apart by themselves; 0 by default' },
      { name: 'per-day', value: 'N', description: 'outcomes of one agent a day; 1 by default' },
      { name: 'metric', value: 'NAME', description: 'what the candidate is for; liked by default' },
      {
        name: 'guard',
        value: 'NAME',
        description: 'what must not get worse; answered by default',
        repeatable: true,
      },
      { name: 'stages', value: 'LIST', description: 'shares up to 1; 0.05,0.25,0.5,1 by default' },
      { name: 'outcomes', value: 'N', description: 'what each arm needs in a stage; 200 by default' },
      { name: 'margin', value: 'N', description: 'a loss that can be lived with; 0.05 by default' },
      { name: 'dry-run', description: 'step: tell the decision and change nothing' },
      { name: 'promote', description: 'step: everybody may get the candidate' },
      {
        name: 'id',
        value: 'ID',
        description: 'step: an id of your own; the same id again does nothing and answers the same',
      },
    ],
    inProject: true,
    examples: [commandLine`help experiment`],
    load: () => import('../commands/experiment.js'),
  },
];
