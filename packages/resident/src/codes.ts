import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of resident agents. */
export const RESIDENT_CODES = {
  E_RESIDENT: {
    title: 'An agent that cannot act',
    cause:
      'There is no verified bundle, the scenario is not in it, the card of the other agent does not verify, or another process runs this agent.',
    fix: `Run ${hint`sync`} and read what was refused. One process at a time lives the life of an agent.`,
  },
  E_CONNECTION: {
    title: 'A platform that did not answer',
    cause: 'The platform could not be reached, refused, or answered something that is not an answer.',
    fix: 'Check the address of the platform and whether the agent is admitted; what was valid before stays in use.',
  },
  E_AGENT_FILE: {
    title: 'An agent.yaml that does not fit',
    cause: 'The file that says who the agent is and where its platform is has a member missing or wrong.',
    fix: 'Correct the line that the message names; docs/user/agents.md lists every member.',
  },
} as const satisfies Record<string, CodeEntry>;
