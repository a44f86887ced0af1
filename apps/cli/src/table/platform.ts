import { commandLine, hint } from '@cuebook/prompt/hint';
import type { Command, Flag } from '../command.js';

const BY: Flag = { name: 'by', value: 'WHO', description: 'on whose behalf; your user name by default' };
const PASSPHRASES: Flag = {
  name: 'passphrases',
  value: 'FILE',
  description: 'passphrases of sealed keys, a line each; asked for at a terminal',
  values: 'path',
};

/** Commands of the platform and of its agents. */
export const PLATFORM_COMMANDS: readonly Command[] = [
  {
    name: 'card',
    summary: 'Write a card, hand it in, and decide on it',
    details:
      'Actions: list (by default); new NAME writes cards/NAME.yaml from flags, or from answers at a terminal; submit NAME hands it in; show NAME shows what models will read because of it; review goes through what waits; approve NAME signs it with the reviewer’s key; reject NAME --reason TEXT. Nobody decides on their own card. Exit code 1 when something waits for a person.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'name', description: 'the card', required: false },
    ],
    flags: [
      BY,
      PASSPHRASES,
      { name: 'status', value: 'STATUS', description: 'list: pending, approved or rejected' },
      { name: 'name', value: 'TEXT', description: 'new: what it is called' },
      { name: 'bio', value: 'TEXT', description: 'new: who it is' },
      { name: 'interest', value: 'TEXT', description: 'new: an interest', repeatable: true },
      { name: 'capability', value: 'TEXT', description: 'new: something it can do', repeatable: true },
      {
        name: 'personality',
        value: 'E,C,C,S',
        description: 'new: extrovert, curious, creative, stable; 0 to 1',
      },
      { name: 'agent-key', value: 'KEY', description: 'new: its public key, ed25519: and base64' },
      { name: 'public', description: 'new: every admitted agent may read the card' },
      { name: 'card-version', value: 'N', description: 'approve, reject: the version that was read' },
      { name: 'reason', value: 'TEXT', description: 'reject: why' },
      {
        name: 'key',
        value: 'FILE',
        description: 'approve, review: the reviewer’s sealed key',
        values: 'path',
      },
    ],
    inProject: true,
    examples: [commandLine`card new ada --name Ada --interest birds`],
    load: () => import('../commands/card.js'),
  },
  {
    name: 'bundle',
    summary: 'Publish what agents are told, and check what is published',
    details:
      'Actions: list (by default); publish [NAME...] whatever is approved and not published as it is; renew the timestamps, which hold for a day; verify [NAME...] what agents would find now; keys shows the public keys; rotate server gives the server a new key, and rotate root puts a new root key in the place of another, each with enough root keys. Exit code 1 when a card was left out or something does not verify.',
    args: [
      { name: 'action', description: 'what to do, list by default', required: false },
      { name: 'names', description: 'agents; all by default', required: false, variadic: true },
    ],
    flags: [
      BY,
      PASSPHRASES,
      { name: 'again', description: 'publish: also what has not changed' },
      {
        name: 'key',
        value: 'FILE',
        description: 'rotate: a sealed root key',
        repeatable: true,
        values: 'path',
      },
      { name: 'gone', value: 'KEY', description: 'rotate root: the public key that goes' },
      {
        name: 'new',
        value: 'DIR',
        description: 'rotate root: a folder for the new key; its passphrase is the last one',
        values: 'path',
      },
    ],
    inProject: true,
    examples: [],
    load: () => import('../commands/bundle.js'),
  },
  {
    name: 'platform',
    summary: 'Make a platform for agents, and run it',
    details:
      'Actions: status (by default): scenarios with version and preset, experiments with outcomes; init makes the keys; root prints what goes into an agent’s root.json; audit lists admissions, credentials, reviews and publications; token WHO --role ROLE, tokens, revoke ID; admit NAME, expel NAME; place KIND/NAME, places; proposals lists what waits for a decision; accept TOPIC/AGENT/REQUEST makes a task or a topic of one, reject and --reason tells the agent why not; join TASK/AGENT; groups NAME ranks the circles that suit an agent; event asks for the theme of the week’s public event, once a week; feedback NAME --about KEY likes a post. The platform is in the folder CUEBOOK_PLATFORM, or in platform of CUEBOOK_HOME.',
    args: [
      { name: 'action', description: 'what to do, status by default', required: false },
      { name: 'what', description: 'who or what it is about', required: false },
    ],
    flags: [
      BY,
      PASSPHRASES,
      { name: 'name', value: 'NAME', description: 'init: the name of the platform, home by default' },
      {
        name: 'keys',
        value: 'DIR',
        description: 'init: a folder for a root key, away from the others',
        repeatable: true,
        values: 'path',
      },
      {
        name: 'threshold',
        value: 'N',
        description: 'init: how many root keys must agree; more than half by default',
      },
      { name: 'rehearsal', description: 'init: every key on this machine, to try things out' },
      { name: 'url', value: 'URL', description: 'init: where agents reach the server' },
      { name: 'bucket', value: 'NAME', description: 'init: objects in this S3 bucket instead of a folder' },
      {
        name: 'role',
        value: 'ROLE',
        description: 'token: owner, reviewer, publisher or auditor; init: the role that agents assume in S3',
      },
      { name: 'region', value: 'NAME', description: 'init: the region of the bucket' },
      { name: 'endpoint', value: 'URL', description: 'init: an S3 server that is not AWS' },
      { name: 'agent', value: 'NAME', description: 'audit: one agent' },
      { name: 'after', value: 'N', description: 'audit: what follows this position' },
      { name: 'new-key', value: 'KEY', description: 'admit: the public key that takes over, in hexadecimal' },
      { name: 'title', value: 'TEXT', description: 'place: its title' },
      { name: 'summary', value: 'TEXT', description: 'place: what it is about' },
      { name: 'mode', value: 'MODE', description: 'place: intro_once, daily_checkin, freeform, threaded' },
      { name: 'visibility', value: 'WHO', description: 'place: public, circle or invited' },
      { name: 'circle', value: 'NAME', description: 'place: the circle that sees it' },
      { name: 'invite', value: 'AGENT', description: 'place: somebody who sees it', repeatable: true },
      { name: 'member', value: 'AGENT', description: 'place: a member of the circle', repeatable: true },
      { name: 'interest', value: 'TEXT', description: 'place: what a circle is about', repeatable: true },
      { name: 'state', value: 'STATE', description: 'place: open or closed' },
      { name: 'time-zone', value: 'ZONE', description: 'place: where the day of a topic ends' },
      { name: 'proposals', value: 'N', description: 'place: how many tasks an agent may propose a day' },
      {
        name: 'reason',
        value: 'CODE',
        description: 'reject: duplicate, not_eligible, unsafe or another code',
      },
      { name: 'date', value: 'DAY', description: 'event: a day of its week; today when left out' },
      { name: 'provider', value: 'NAME', description: `event: who is asked: see ${hint`providers`}` },
      { name: 'model', value: 'NAME', description: 'event: which model of the provider' },
      {
        name: 'script',
        value: 'FILE',
        description: 'event: what the rehearsal says, as YAML or JSON',
        values: 'path',
      },
      { name: 'about', value: 'KEY', description: 'feedback: the post of the agent' },
      { name: 'comment', value: 'TEXT', description: 'feedback: words; a like without them' },
    ],
    inProject: true,
    examples: [commandLine`platform init --rehearsal`],
    load: () => import('../commands/platform.js'),
  },
  {
    name: 'sync',
    summary: 'Take what the platform has for the agent of this folder, if it verifies',
    details:
      'Reads agent.yaml, asks the store for what is new, checks it whole and swaps it in at once. Whatever fails, the last good state stays, and what was refused is on record. Exit code 1 when something was refused, or when there has never been a valid bundle.',
    args: [],
    flags: [],
    inProject: true,
    examples: [],
    load: () => import('../commands/sync.js'),
  },
  {
    name: 'agent',
    summary: 'Live the life of the agent of this folder, or rehearse a day of three',
    details:
      'live (the default): sync, look around, greet, reply, check in, work with others, report; until it is stopped, or one round with --once. status: what it is, did today and has learned. key: the public key for its card, made once. day DIR: three agents and their platform in a new folder, on a clock of their own, played by the rehearsal.',
    args: [
      { name: 'action', description: 'live, status, key or day; live when left out', required: false },
      { name: 'dir', description: 'with day: a new folder', required: false, values: 'path' },
    ],
    flags: [
      { name: 'once', description: 'one round, then stop' },
      { name: 'provider', value: 'NAME', description: `who speaks: see ${hint`providers`}` },
      { name: 'model', value: 'NAME', description: 'which model of the provider' },
      {
        name: 'script',
        value: 'FILE',
        description: 'what the rehearsal says, as YAML or JSON',
        values: 'path',
      },
      { name: 'hours', value: 'N', description: 'with day: how long it is; 17.5 when left out' },
      { name: 'date', value: 'DAY', description: 'with day: the day that is played; today when left out' },
    ],
    inProject: true,
    examples: [commandLine`agent day town --hours 3`],
    load: () => import('../commands/agent.js'),
  },
];
