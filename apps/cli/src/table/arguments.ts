import type { Argument, Flag } from '../command.js';

/** A target, or none where manifests are named instead. */
export const TARGET: Argument = {
  name: 'target',
  description:
    'what to compose, such as sheet:review, or sheet:review@HEAD~1 as of a git revision; none with -f',
  required: false,
  values: 'target',
};

/** Manifests in the place of a target. */
export const MANIFESTS: readonly Flag[] = [
  {
    name: 'file',
    short: 'f',
    value: 'FILE',
    description: 'manifests instead of a target: a file, a folder, or - for standard input',
    repeatable: true,
    values: 'path',
  },
  {
    name: 'agent',
    value: 'NAMESPACE/NAME',
    description: 'which Agent of the manifests, when there are several',
  },
];

/** Confidential text in the clear. */
export const REVEAL: Flag = {
  name: 'reveal',
  description: 'show confidential text instead of [confidential]',
};
