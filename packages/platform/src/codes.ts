import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of a platform. */
export const PLATFORM_CODES = {
  E_PLATFORM_ROLE: {
    title: 'A token that does not open this',
    cause: 'The token is not known, was taken back, has ended, or its role does not cover what was asked.',
    fix: 'Use a token of the role that the job needs: owner, reviewer, publisher, agent or auditor.',
  },
  E_PLATFORM: {
    title: 'A platform that could not keep its record',
    cause: 'The journal could not be read or written, or too many changed the same thing at once.',
    fix: 'Try again; nothing was handed out or published.',
  },
  E_PLATFORM_HOME: {
    title: 'A folder that is not that of a platform',
    cause:
      'There is no platform in the folder, there is one already, a file of it is missing or damaged, or the keys of its store are not in the environment.',
    fix: `Make a platform with ${hint`platform init`}, name its folder with CUEBOOK_PLATFORM, or restore the file from a backup.`,
  },
  E_PLATFORM_ASK: {
    title: 'A platform that has nobody to ask',
    cause:
      'An event or reasons for groups were wanted of the server, and its project names no provider that could write them, or the turn did not come to its end.',
    fix: `Name a provider with provider: in cuebook.yaml of the platform’s project (${hint`providers`} lists them), and read the run with ${hint`runs`}.`,
  },
  E_KEYS: {
    title: 'A change of keys that cannot be',
    cause:
      'A key that goes is not one of the role, a key that comes is one already or is none, nothing would change, or fewer keys would be left than must agree.',
    fix: `List the keys with ${hint`bundle keys`} and name those that come and go.`,
  },
  E_LIBRARY: {
    title: 'A change of the library that is refused',
    cause:
      'There is no such version, it does not fit, it was decided already or is the reviewer’s own, it is assigned or on trial, its test cases fail or cannot be run here, or a request or signature is not about the library as it stands now.',
    fix: `Look at ${hint`library`}; make a new request with ${hint`library request`} when the library has changed since.`,
  },
  E_PROPOSAL: {
    title: 'A proposal that cannot be taken up',
    cause:
      'The request does not exist, is not a proposal of a task or a topic, was accepted already, or the task is closed.',
    fix: 'Name the topic, the agent and the request as they stand in the key of the object.',
  },
  E_FEEDBACK: {
    title: 'A like or comment that is not taken',
    cause:
      'The agent is not known, it wrote no such post, or the comment has no words or more than 2,000 characters.',
    fix: 'Name a post that is there: a key such as topics/TOPIC/messages/AGENT/ID.json.',
  },
  E_EXPERIMENT: {
    title: 'Experiments that cannot be assigned, days that cannot be counted',
    cause:
      'A name is not one, a share is not between 0 and 1, two experiments are about one scenario, a version is not in the library, outcomes of other versions were counted under the name, the plan of a rollout is not one, or not the one that it began with; or a day to count is none of the calendar, or has not ended in UTC.',
    fix: 'End one of the experiments, publish the version to the library first, or take another name; leave the plan out to continue with the one on record; count a day when it is over.',
  },
} as const satisfies Record<string, CodeEntry>;
