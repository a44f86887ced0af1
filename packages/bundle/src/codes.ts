import type { CodeEntry } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';

/** The codes of cards, bundles and trust. */
export const BUNDLE_CODES = {
  E_CARD: {
    title: 'A card that does not fit',
    cause:
      'A field of the card is missing, too long, or holds characters that cannot be seen; the message names the field.',
    fix: 'Correct the field. Lengths count Unicode code points. docs/user/bundles.md lists every field.',
  },
  E_CARD_VIEW: {
    title: 'A card whose view is too long',
    cause: 'The compact view of the card, which goes into prompts, has more characters than agents take.',
    fix: 'Shorten the bio, or the lists of interests and capabilities, by the number that the message tells.',
  },
  E_REVIEW: {
    title: 'A review that cannot continue',
    cause:
      'The card does not exist, belongs to somebody else, was changed since it was read, was decided already, or is the reviewer’s own.',
    fix: 'Read the card again and decide on the version that is there now; a rejection needs a reason.',
  },
  E_FILL: {
    title: 'A value that a scenario does not take',
    cause: 'A placeholder has no value, a value of another form, or a value has no placeholder.',
    fix: 'Hand in one value for each placeholder that the message names, with --set NAME=VALUE.',
  },
  E_SCENARIO: {
    title: 'A scenario that does not fit',
    cause:
      'A field of the scenario file is missing or does not fit, a placeholder is not declared or not used, or the new version would not do for agents that were made for the version before.',
    fix: 'Correct the place that the message names. docs/user/library.md lists every field.',
  },
  E_OUTPUT: {
    title: 'An answer that breaks its contract',
    cause:
      'The model’s answer is too long or too short, not the JSON that was asked for, or claims to be somebody.',
    fix: 'It is asked once more with a note of what was wrong; a second answer like it is not used.',
  },
  E_JSON: {
    title: 'JSON that could be read in two ways',
    cause:
      'The text is too large or too deep, not UTF-8, not in its canonical form, or has a member twice, half a character or an integer that does not fit.',
    fix: 'Publish the object again with Cuebook; objects are stored in their canonical form and never edited.',
  },
  E_CERT: {
    title: 'A certificate that does not hold',
    cause:
      'The object is not certified, was changed, has expired, is older than what is known, or belongs to another kind, agent or place.',
    fix: 'Nothing needs to be done on the agent: what was valid before stays. Publish the object again if it should change.',
  },
  E_TRUST: {
    title: 'Trust metadata that does not hold',
    cause:
      'Metadata is not signed by enough keys, is older than what is known, has expired, is of another kind or agent, does not fit together, or lists content that nobody reviewed; or the clock of the agent is behind a time that it knows to have come.',
    fix: `What was valid before stays. If it has expired, ${hint`platform health`} says who must act. For a clock: set it right; where a clock was ahead before, ${hint`sync --clock-is-right`} says so. Else look for whoever can write to the store.`,
  },
  E_SIGNING: {
    title: 'A request that cannot be signed or taken',
    cause:
      'The file is neither a request nor a signature for it, the key is not valid for it, too few holders have signed, or keys were changed since it was made.',
    fix: `Make a new request with ${hint`platform rotate ROLE --out FILE`}, and let as many holders sign it as must agree.`,
  },
  E_TRUST_STATE: {
    title: 'A saved state that cannot be read',
    cause: 'The file of the trust state is not one that Cuebook wrote.',
    fix: 'Synchronise again; the state is rebuilt from the root that came with the agent.',
  },
  E_LOG: {
    title: 'A log that does not show what it must',
    cause:
      'A published object is not in the transparency log, or the log was cut short or went another way than the one seen before.',
    fix: 'Do not publish. Compare the checkpoint with those that other agents have seen.',
  },
  E_OBJECT: {
    title: 'An object that could not be read or written',
    cause: 'The object does not exist, already exists, is too large, is not allowed, or its key is not one.',
    fix: 'Check the key, and whether the credentials are still valid and cover it.',
  },
  E_KEY: {
    title: 'A key that cannot be made or opened',
    cause:
      'The passphrase is wrong or too short, the file is not a key, or two keys would share a folder or a passphrase.',
    fix: 'Keep each root key in a place of its own with a passphrase of its own of 12 characters or more.',
  },
  E_PUBLISH: {
    title: 'A publication that was refused',
    cause: 'The agent’s id is not one, or the version is not above the one that is published.',
    fix: 'Publish with a higher version; versions only grow.',
  },
  E_ACCESS: {
    title: 'A credential that was not given',
    cause:
      'The place cannot be seen by this agent, an id is not one, the lifetime is too long, or the store could not make it.',
    fix: 'Ask for a topic, task or circle that the agent may see, for at most an hour.',
  },
  E_ADMISSION: {
    title: 'An agent that was not let in',
    cause:
      'The agent is not published or not admitted, or the proof is not that of its key for the challenge that is open.',
    fix: 'Let the owner begin an admission and the agent answer the new challenge; each works once, for ten minutes.',
  },
  W_SCENARIO_SAMPLE: {
    title: 'A sample card is used',
    cause: 'The project has no card, so the one that Cuebook ships is shown.',
    fix: 'Write a card in cards/NAME.yaml and name it with --card NAME.',
  },
} as const satisfies Record<string, CodeEntry>;
