import type { CodeEntry } from './diagnostic.js';

/** Every code of this package. */
export const PROMPT_CODES = {
  E_SECRET_IN_PROMPT: {
    title: 'A secret would reach the model',
    cause: 'A span labelled `secret` is part of a block. Secrets are for tools, never for prompt text.',
    fix: 'Remove the variable from the text and hand the secret to the tool that needs it. If the text is private but meant for the model, label it `confidential`.',
  },
  E_TRUST_IN_SYSTEM: {
    title: 'Untrusted text in a system-role block',
    cause:
      'Text that a user, agent, tool or stranger wrote is in a block of role system, where a model takes it as an instruction.',
    fix: 'Move it to a block of role user and fence it there.',
  },
  E_FORGED_STRUCTURE: {
    title: 'Untrusted text would be read as structure',
    cause: 'A line of text below operator trust reads as a header, a field, a role marker or a tool call.',
    fix: 'Print the text as the body or a field of a shell, which escapes such lines.',
  },
  E_PROMPT_LEAK: {
    title: 'Something private would leave',
    cause:
      'After aliasing and masking, the canonicalised text still holds a known root, private path, name or credential.',
    fix: 'Take the private text out of the source that the message names, or have it masked where it enters.',
  },
  E_NOT_UNICODE: {
    title: 'Half a character',
    cause: 'The text holds a lone surrogate: half of a character, which has no UTF-8 bytes.',
    fix: 'Find where the text was cut in the middle of a character, or read it as UTF-8.',
  },
  E_DUPLICATE_BLOCK: {
    title: 'Two blocks with one name',
    cause: 'Block names tell blocks apart in records, counts and explanations, so each name stands once.',
    fix: 'Rename one of the blocks.',
  },
  E_INCLUDE_CYCLE: {
    title: 'A text includes itself',
    cause:
      'Following the includes leads back to a text that is still being put together; the message prints the path.',
    fix: 'Remove one include on the printed path.',
  },
  E_INCLUDE_UNKNOWN: {
    title: 'No such text',
    cause: 'An include names a text that does not exist.',
    fix: 'Correct the name, or add the text.',
  },
  E_INCLUDE_TOO_LARGE: {
    title: 'Includes without measure',
    cause: 'Texts that include each other several times over grow past any prompt.',
    fix: 'Include each text once where it is needed.',
  },
  E_SHELL_SYNTAX: {
    title: 'Not a printed shell',
    cause:
      'The text is not what the shell printer writes; the error says which line and what was expected there.',
    fix: 'Print shells with `printShells` and leave their text alone.',
  },
} as const satisfies Record<string, CodeEntry>;
