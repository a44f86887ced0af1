import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Argument, Command } from '../command.js';
import { REVEAL } from './arguments.js';

const RUN: Argument = {
  name: 'run',
  description: 'a run by its id or the beginning of it; the newest by default',
  required: false,
  values: 'run',
};

/** What reads and keeps the record. */
export const RECORD_COMMANDS: readonly Command[] = [
  {
    name: 'runs',
    summary: 'List recorded runs, stop, export and import them, or delete them',
    details:
      'A run is named by its id or the beginning of it. Records are in CUEBOOK_HOME (.cuebook in the project), or in the Postgres database of CUEBOOK_DATABASE_URL.',
    actions: [
      ['list', 'list the runs; the default'],
      ['export RUN', 'write a run as a file'],
      ['import FILE', 'read a run that was exported'],
      [
        'forget RUN@TURN',
        'delete content, with --by and --block or --response; of a RUN with --by and --sealed a credential',
      ],
      [
        'prune',
        'delete old runs, with --older-than, --max-size or both; a run whose work is not in your folder is kept',
      ],
      ['backup FILE', 'copy the whole journal'],
      ['restore FILE', 'read a backup into an empty journal'],
      ['workspaces [RUN]', 'show the folders that nodes of teams work in, and their size'],
      [
        'apply RUN[/NODE]',
        'merge the work of a team into your folder; if there is a conflict, nothing is changed',
      ],
      ['clean RUN[/NODE]', 'remove workspaces whose work is in your folder; others only with --discard'],
      ['update RUN', 'move a run to the sources in your folder, or of --to, from its next turn on'],
      ['stop RUN', 'end what a run has under way; run TARGET --run RUN continues it where its kind can'],
    ],
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'what', description: 'the run, the turn or the file', required: false, values: 'run' },
    ],
    flags: [
      {
        name: 'out',
        value: 'FILE',
        description: 'export: a new file instead of standard output',
        values: 'path',
      },
      { name: 'attestations', description: 'export: as signed in-toto statements, one for each turn' },
      {
        name: 'trust',
        value: 'KEY',
        description: 'import: a key that signed the run, by its whole fingerprint',
        repeatable: true,
      },
      { name: 'block', value: 'NAME', description: 'forget: a block of the prompt', repeatable: true },
      { name: 'response', description: 'forget: what the model answered' },
      {
        name: 'sealed',
        value: 'ID',
        description: 'forget: a sealed credential, by the id in its mask; all: every one of the run',
        repeatable: true,
      },
      { name: 'by', value: 'WHO', description: 'forget: on whose request' },
      { name: 'reason', value: 'TEXT', description: 'forget: why' },
      { name: 'older-than', value: 'AGE', description: 'prune: runs without an event for 30d, 12h, 45m' },
      {
        name: 'max-size',
        value: 'SIZE',
        description: 'prune: the oldest until the journal is smaller than 1GB, 200MB',
      },
      { name: 'dry-run', description: 'prune, apply: only show what would be done' },
      { name: 'commit', value: 'TEXT', description: 'apply: commit exactly this work, with this message' },
      {
        name: 'to',
        value: 'REVISION',
        description: 'update: a git revision of the project instead of your folder as it is now',
      },
      {
        name: 'discard',
        description: 'clean: also delete work that exists nowhere else; it cannot be restored',
      },
    ],
    inProject: true,
    examples: [
      commandLine`runs`,
      commandLine`runs --json`,
      commandLine`runs prune --older-than 30d --dry-run`,
    ],
    shown: [commandLine`runs update last --to HEAD`],
    load: () => import('../commands/runs.js'),
  },
  {
    name: 'log',
    summary: 'Show the events of a run',
    details: 'RUN#SEQ is one event in full, by its number.',
    args: [RUN],
    flags: [
      { name: 'after', value: 'SEQ', description: 'only events after this number' },
      { name: 'follow', description: 'print events as they happen' },
      REVEAL,
    ],
    inProject: true,
    examples: [commandLine`log`],
    load: () => import('../commands/log.js'),
  },
  {
    name: 'replay',
    summary: 'Rebuild a turn from the record, byte for byte, without calling a model',
    details:
      'RUN@TURN is one turn: its id, its number from 1, or last. Every hash is checked. With --json it is the render document, with its record.',
    args: [RUN],
    flags: [REVEAL],
    inProject: true,
    examples: [commandLine`replay`],
    load: () => import('../commands/replay.js'),
  },
  {
    name: 'prefix',
    summary: 'Show how much of the previous turn each turn repeats, and what ended that prefix',
    details:
      'Providers cache the beginning of requests. For each turn of a run it shows its bytes, how many of them it shares with the beginning of the previous turn in the same lane, and the source of the first byte that differs. Then it shows how much more would have been cached with a source moved to the end, computed from the recorded turns. With --json also what the provider counted and what was predicted.',
    args: [RUN],
    flags: [],
    inProject: true,
    examples: [commandLine`prefix`],
    load: () => import('../commands/prefix.js'),
  },
  {
    name: 'verify',
    summary: 'Check that a record has not been changed',
    details: `Checks the chain, the signatures, and the hash of every block and prompt, by rebuilding all of them; and that nothing is missing that the anchor lists: removed runs, deleted events, a store that was emptied or rolled back. Exit code 1 when something is wrong. Nothing is changed, and a read-only copy can be verified too. Without an argument it verifies the newest run, and checks that every other run ends where the anchor says. With a run it checks only that one, with --all it verifies all of them. It says what it did not look at, and which events the anchor does not have yet. To detect that all of CUEBOOK_HOME was rolled back, use --against with an anchor that was exported before (${hint`anchor export`}).`,
    args: [RUN],
    flags: [
      { name: 'all', description: 'every run, and content that belongs to no run' },
      { name: 'head', value: 'HASH', description: 'a head of the run that was noted before' },
      {
        name: 'against',
        value: 'ANCHOR',
        description: 'an exported anchor: FILE, git, s3://BUCKET/PREFIX or objects:DIR',
        repeatable: true,
      },
      {
        name: 'file',
        value: 'FILE',
        description: 'a copy or a backup of a journal, or an exported run, instead',
        values: 'path',
      },
      {
        name: 'key',
        value: 'FILE',
        description: 'the public key of another machine',
        repeatable: true,
        values: 'path',
      },
    ],
    inProject: true,
    examples: [commandLine`verify --all`],
    load: () => import('../commands/verify.js'),
  },
  {
    name: 'anchor',
    summary: 'Show or export the signed checkpoint of all runs that is kept outside the database',
    details:
      'The anchor is a small signed file in CUEBOOK_HOME, apart from the records (CUEBOOK_ANCHOR sets another place). Every commit updates it, and verify uses it to detect what was removed, cut off or rolled back.',
    actions: [
      ['show', 'show the last known state of every run; the default'],
      [
        'export',
        'copy the anchor to a place that nobody who can change the records can change: --to FILE, --git (a note on the checked-out commit, in this repository only) or --objects s3://BUCKET/PREFIX',
      ],
      ['accept --by WHO --reason TEXT', 'record a known and intended loss; the old anchor is kept'],
    ],
    args: [{ name: 'action', description: 'what to do, show by default', required: false }],
    flags: [
      { name: 'to', value: 'FILE', description: 'export: a new file', values: 'path' },
      { name: 'git', description: 'export: a git note' },
      {
        name: 'objects',
        value: 'URL',
        description: 'export: an object store, s3://BUCKET/PREFIX or objects:DIR',
      },
      { name: 'by', value: 'WHO', description: 'accept: who accepts' },
      { name: 'reason', value: 'TEXT', description: 'accept: why' },
    ],
    inProject: true,
    examples: [commandLine`anchor`, commandLine`anchor --json`],
    load: () => import('../commands/anchor.js'),
  },
  {
    name: 'keys',
    summary: 'Show or replace the key that signs the records',
    details:
      'The old key signs for the new one, in CUEBOOK_HOME and in the records, and is then deleted; what it signed before still verifies, here and wherever one of the keys is trusted. Stop the servers of the project before rotate.',
    actions: [
      ['show', 'list the valid keys by their fingerprints; the default'],
      ['rotate', 'create a new key'],
      [
        'share',
        'print the line that another machine needs in CUEBOOK_PROJECT_KEY to work on this project in its database: whoever has it and the database can do what this machine can',
      ],
    ],
    args: [{ name: 'action', description: 'what to do, show by default', required: false }],
    flags: [],
    inProject: true,
    examples: [commandLine`keys`],
    load: () => import('../commands/keys.js'),
  },
];
