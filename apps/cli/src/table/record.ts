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
    summary: 'List recorded runs, export and import them, or delete them',
    details:
      'Actions: list (by default); export RUN; import FILE; forget RUN@TURN with --by and --block or --response, or RUN with --by and --sealed; prune with --older-than, --max-size or both, which keeps a run whose work is not in your folder; backup FILE; restore FILE. For teams: workspaces [RUN] shows where nodes work and what that takes; apply RUN[/NODE] brings work into your folder, or names what stands against it and changes nothing; clean RUN[/NODE] removes workspaces whose work is in your folder, others only with --discard. A run is named by its id or the beginning of it. Records are in CUEBOOK_HOME (.cuebook in the project), or in the Postgres database that CUEBOOK_DATABASE_URL names.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false, values: 'runs-action' },
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
        description: 'forget: a sealed credential, by the name in its mask; all: every one of the run',
        repeatable: true,
      },
      { name: 'by', value: 'WHO', description: 'forget: on whose request' },
      { name: 'reason', value: 'TEXT', description: 'forget: why' },
      { name: 'older-than', value: 'AGE', description: 'prune: runs without an event for 30d, 12h, 45m' },
      { name: 'max-size', value: 'SIZE', description: 'prune: the oldest until the journal has 1GB, 200MB' },
      { name: 'dry-run', description: 'prune and apply: only say what would be done' },
      { name: 'commit', value: 'TEXT', description: 'apply: commit exactly this work, with this message' },
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
    load: () => import('../commands/runs.js'),
  },
  {
    name: 'log',
    summary: 'Show the events of a run',
    details: 'RUN#SEQ is one event, whole, by its number.',
    args: [RUN],
    flags: [
      { name: 'after', value: 'SEQ', description: 'only events after this number' },
      { name: 'follow', description: 'go on with events as they happen' },
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
      'RUN@TURN is one turn: its id, its number from 1, or last. Every hash is checked. With --json it is the render document, and what is on record beside it.',
    args: [RUN],
    flags: [REVEAL],
    inProject: true,
    examples: [commandLine`replay`],
    load: () => import('../commands/replay.js'),
  },
  {
    name: 'prefix',
    summary: 'Show how much each turn repeats of the one before it, and what ended that',
    details:
      'Providers keep what requests begin with. For each turn of a run: its bytes, how many of them the turn before it in the same lane began with, too, and the source of the first byte that differs. Then what moving a source behind everything else would have kept, found by telling the recorded turns again that way. With --json also what the provider counted and what was predicted.',
    args: [RUN],
    flags: [],
    inProject: true,
    examples: [commandLine`prefix`],
    load: () => import('../commands/prefix.js'),
  },
  {
    name: 'verify',
    summary: 'Check that a record is as it was written',
    details: `Chain, signatures, the hash of every block and prompt, by rebuilding all of them; and that everything is there that the anchor of this home knows of: a run that was removed, events that were cut off, a store that was emptied or put back are each named. Exit code 1 when something is wrong. Nothing is changed, and a copy that may not be written is verified too. Who can put back the whole of CUEBOOK_HOME is found with --against, by an anchor that was exported before (${hint`anchor export`}).`,
    args: [RUN],
    flags: [
      { name: 'all', description: 'every run, and what belongs to none' },
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
    summary: 'Write a signed checkpoint of all runs outside the database',
    details:
      'The anchor is a small signed file in CUEBOOK_HOME, apart from the records (CUEBOOK_ANCHOR names another place). Every commit advances it, and verify finds with it what was removed, cut off or put back. Actions: show (by default); export --to FILE, --git (a note on the checked-out commit, in this repository only) or --objects s3://BUCKET/PREFIX, for a place that who writes the records cannot write; accept --by WHO --reason TEXT, when a loss is known and meant: the old anchor stays beside the new one.',
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
      'Actions: show (by default) lists the keys that count here by their fingerprints; rotate makes a new key; share prints the line that another machine needs in CUEBOOK_PROJECT_KEY to work on this project in its database: whoever has it and the database can do what this machine can. The old key signs for the new one, in CUEBOOK_HOME and in the records, and is gone then; what it signed before still verifies, here and wherever one of the keys is trusted. End servers of the project first.',
    args: [{ name: 'action', description: 'what to do, show by default', required: false }],
    flags: [],
    inProject: true,
    examples: [commandLine`keys`],
    load: () => import('../commands/keys.js'),
  },
];
