import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';
import { BY } from './arguments.js';

/** Commands of the library of templates. */
export const LIBRARY_COMMANDS: readonly Command[] = [
  {
    name: 'library',
    summary: 'Write, review, sign and assign versions of scenarios',
    details:
      'Nobody can approve their own version, and a new draft has a new number. Exit code 1 when something waits or does not verify.',
    actions: [
      ['list', 'list the versions; the default'],
      ['show NAME[@VERSION]', 'show a version'],
      ['diff [A] [B]', 'compare versions by obligation and by the agents that they affect'],
      [
        'new NAME',
        'submit a version from scenarios/NAME.yaml, from --from FILE, from parameters alone or from an editor, and run its test cases',
      ],
      ['review', 'show what waits'],
      ['approve NAME@VERSION', 'approve the version that you have read'],
      ['reject NAME@VERSION', 'reject it'],
      ['request --out FILE', 'write what is to be signed'],
      [
        'sign FILE --key FILE --out FILE',
        'sign a request, on a machine that has the library’s key and needs nothing else',
      ],
      [
        'publish [FILE...]',
        'publish with the signature files, one of each holder if several must sign; without a file, sign with a key on this machine',
      ],
      ['pin NAME@VERSION', 'assign a version'],
      ['rollback NAME[@VERSION]', 'assign the version before it'],
      ['retire NAME@VERSION', 'remove a version with the next signature'],
      ['verify [NAME@VERSION...]', 'check versions in the store, old ones too'],
    ],
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'what', description: 'a scenario, versions, or a file', required: false, variadic: true },
    ],
    flags: [
      BY,
      {
        name: 'passphrases',
        value: 'FILE',
        description: 'the passphrase of the library’s key; asked for at a terminal',
        values: 'path',
      },
      {
        name: 'from',
        value: 'FILE',
        description: 'new: a YAML file, or a Markdown template',
        values: 'path',
      },
      { name: 'tests', value: 'FILE', description: 'new: its test cases', values: 'path' },
      { name: 'temperature', value: 'N', description: 'new: a parameter of the version' },
      { name: 'max-tokens', value: 'N', description: 'new: a parameter of the version' },
      { name: 'top-p', value: 'N', description: 'new: a parameter of the version' },
      {
        name: 'shipped',
        description: 'new: the versions that this Cuebook ships and the library does not have',
      },
      { name: 'reason', value: 'TEXT', description: 'reject: why' },
      { name: 'key', value: 'FILE', description: 'sign, publish: the library’s sealed key', values: 'path' },
      { name: 'out', value: 'FILE', description: 'request, sign: a new file', values: 'path' },
      { name: 'root', value: 'FILE', description: 'verify: start from this root', values: 'path' },
    ],
    inProject: true,
    examples: [],
    shown: [commandLine`library`, commandLine`library diff greeting@1 greeting@2`],
    load: () => import('../commands/library.js'),
  },
];
