import type { CodeEntry } from '@cuebook/prompt';

/** The codes that every profile shares. */
export const PROFILE_CODES = {
  E_TARGET: {
    title: 'Not a target',
    cause: 'The target is not written `kind:NAME`, or no such kind or name is in the project.',
    mend: 'Run `cuebook check` to see the targets of the project, and copy the name from there.',
  },
  E_INPUT: {
    title: 'Input that does not fit',
    cause:
      'An input is missing, has the wrong form, or is not one that the target takes; the message says which.',
    mend: 'Hand in the inputs that the target declares; `cuebook render TARGET --help` shows how.',
  },
  W_REDACTED: {
    title: 'Something private was taken out',
    cause: 'A tool definition or a parameter held a known root, a private path, a name or a credential.',
    mend: 'Take it out of the source, or list the path under `public` in `cuebook.yaml` if it may be told.',
  },
  W_HIDDEN_TEXT: {
    title: 'Text that people do not see',
    cause:
      'A source holds characters that are not drawn, or that turn the order of others around: Unicode tags, bidirectional controls, zero-width and control characters, private use. A model reads them, a reviewer does not.',
    mend: 'Remove them, or write what they stand for in letters that can be seen. In a prompt each is sent as its number, such as `[U+202E]`.',
  },
  E_CONFIG: {
    title: 'The project file does not fit',
    cause: '`cuebook.yaml` is not valid YAML, or a key in it is unknown or of the wrong form.',
    mend: 'Correct the place that the message names. Known keys: roots, private, names, public.',
  },
} as const satisfies Record<string, CodeEntry>;
