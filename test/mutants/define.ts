import { type Mutant, rows } from './rows.js';

/** The guards of `packages/define`. */
export const DEFINE_MUTANTS: readonly Mutant[] = [
  ...rows('packages/define', 'src/load/project.test.ts', {
    'load.kind': 'tells of a file that exports another kind, and loads the others',
    'load.hang': 'tells of files that loop, and goes on behind them, but not for ever',
    'load.many': 'has a limit of files',
  }),
  ...rows('packages/define', 'src/check/check-project.test.ts', {
    'load.twice': 'two prompts with one name',
    'check.shape': 'a tool choice that there is not',
    'check.empty': "a prompt that says nothing: ''",
    'check.cycle': 'a cycle of two includes, with its path',
    'check.unknown': 'a model that nobody defines',
    'check.secret-part': 'a secret in the text, through two includes',
    'check.secret-literal': 'the value of a secret in the text',
    'check.choice': 'a required call without tools',
    'check.subagent': 'an agent that is not exposed, or is not a subagent',
    'check.tool-calls': 'tools for a model that calls none',
  }),
  ...rows('packages/define', 'src/check/served.test.ts', {
    'check.server': "check of tools: ['mcp.note']",
  }),
  ...rows('packages/define', 'src/profile.test.ts', {
    'names.read': 'find names without running anything, where that is asked for',
  }),
  ...rows('packages/define', 'src/compose/step.test.ts', {
    'compose.secret': 'that are secret never pass the gate, whatever layer has them',
    'compose.fence': 'of users stand in a fence behind it, and cannot leave it',
    'compose.none': 'are not told at all when none may be called',
    'compose.optional': 'that are optional are there by a variable: unset',
  }),
  ...rows('packages/define', 'src/compose/conversation.test.ts', {
    'compose.opening':
      'shows what the prompt includes, and always the current turn:   includePastTools: true,',
  }),
  ...rows('packages/define', 'src/compose/vouch.test.ts', {
    'hook.words': 'something behind the prompt',
    'compose.hooked':
      'for all values of other letters than the author’s: no part of one, however it is spelled, is in the system text',
  }),
  ...rows('packages/define', 'src/live/lifetime.test.ts', {
    'live.timeout':
      'gives up a call that waits for ever, leaves those beside it alone, and goes on elsewhere',
    'live.stuck': 'ends a process that a call does not let go of',
    'live.tries': 'tries a definition that ends the process as it loads again, but not for ever',
    'live.message': 'passes over what functions tell it themselves',
  }),
  ...rows('packages/define', 'src/live/approval.test.ts', {
    'live.approval': 'a function that gives no answer asks',
  }),
];
