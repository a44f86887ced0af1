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
  E_CONFIG: {
    title: 'The project file does not fit',
    cause: '`cuebook.yaml` is not valid YAML, or a key in it is unknown or of the wrong form.',
    mend: 'Correct the place that the message names. Known keys: roots, private, names, public.',
  },
} as const satisfies Record<string, CodeEntry>;
