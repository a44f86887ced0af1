import { commandLine } from '@cuebook/prompt/hint';
import type { Command } from '../command.js';

/** Commands of the library of templates. */
export const LIBRARY_COMMANDS: readonly Command[] = [
  {
    name: 'library',
    summary: 'Write, review, sign and assign versions of scenarios',
    details:
      'Actions: list (by default); show NAME[@VERSION]; diff [A] [B] compares versions by obligation and by the agents they reach; new NAME puts a version on record from scenarios/NAME.yaml, from --from FILE, from parameters alone or from an editor, and runs its test cases; review shows what waits, approve and reject NAME@VERSION decide on the words that you have read, nobody on their own; a new draft has a new number; request --out FILE writes what is to be signed; sign FILE --key FILE --out FILE signs it on a machine that has the library’s key and needs nothing else; publish FILE... takes the signature, one file of each holder where several must agree (without a file it signs with a key that is here); pin NAME@VERSION assigns a version, rollback NAME[@VERSION] the one before it; retire NAME@VERSION takes one out with the next signature; verify [NAME@VERSION...] checks versions in the store, old ones too. Exit code 1 when something waits or does not verify.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'what', description: 'a scenario, versions, or a file', required: false, variadic: true },
    ],
    flags: [
      { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' },
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
      { name: 'shipped', description: 'new: what this Cuebook ships and the library does not have' },
      { name: 'reason', value: 'TEXT', description: 'reject: why' },
      { name: 'key', value: 'FILE', description: 'sign, publish: the library’s sealed key', values: 'path' },
      { name: 'out', value: 'FILE', description: 'request, sign: a new file', values: 'path' },
      { name: 'root', value: 'FILE', description: 'verify: start from this root', values: 'path' },
    ],
    inProject: true,
    examples: [commandLine`help library`],
    load: () => import('../commands/library.js'),
  },
];
