import { hint } from '@cuebook/prompt/hint';
import type { Flag } from '../command.js';
import { VOICE } from './arguments.js';

/** What is said to a run that was begun before. */
const GOING_ON: readonly Flag[] = [
  {
    name: 'run',
    value: 'RUN',
    description: `continue this run: its id, the beginning of it, or last; ${hint`runs`} lists them`,
    values: 'run',
    formerly: ['thread'],
  },
  {
    name: 'answer',
    value: 'TEXT',
    description: 'with --run: answer what it asks: yes, no, an option, NAME=VALUE of a form, or any text',
    repeatable: true,
  },
  {
    name: 'settle',
    value: 'not-done|unknown',
    description: 'with --run: say what happened to calls that a crash interrupted',
  },
];

/** What a run may spend. */
const BUDGET: readonly Flag[] = [
  {
    name: 'turns',
    value: 'NUMBER',
    description: 'turns that the whole run may take; with --run: from now on',
  },
  {
    name: 'usd',
    value: 'NUMBER',
    description: 'US dollars that the whole run may cost; with --run: from now on',
  },
];

/** The flags of `run` beside the inputs of targets: those of every kind, and those that only one has. */
export const RUN_FLAGS: readonly Flag[] = [
  // Each node of a team names its own voice.
  ...VOICE.map((flag) => (flag.name === 'script' ? flag : { ...flag, except: ['team'] })),
  {
    name: 'trace',
    value: 'FILE',
    description: 'write every request and event to a new file, as JSON lines',
    values: 'path',
    except: ['team'],
  },
  ...GOING_ON,
  ...BUDGET,
  {
    name: 'limit',
    value: 'NAME=NUMBER',
    description:
      'a limit of a team run: parallel, parallel.PROVIDER, nodes, depth, inbox, approvalMinutes (0: no limit)',
    repeatable: true,
    kinds: ['team'],
  },
  {
    name: 'attach',
    value: 'PATH',
    description: 'a file of the project to attach to the message',
    repeatable: true,
    kinds: ['agent', 'prompt'],
  },
  {
    name: 'input',
    value: 'VALUE',
    description: 'With --run: a message to the node that leads; a new run is told --goal',
    kinds: ['team'],
  },
];
