import { type Mutant, rows } from './rows.js';

/** The guards of `apps/server`. */
export const SERVER_MUTANTS: readonly Mutant[] = [
  ...rows('apps/server', 'test/access.test.ts', {
    'host.own': "'whose name points here' can neither read nor write, also with the token",
    'origin.own': "'with its Origin' can neither read nor write, also with the token",
    'origin.site': "'that reads without Origin' can neither read nor write, also with the token",
    'auth.token': 'for /approvals',
    'auth.role': 'of a role that may ask',
  }),
  ...rows('apps/server', 'test/health.test.ts', {
    'health.writes': 'names the database that takes no writes, as a standby, and is well again by itself',
  }),
  ...rows('apps/server', 'src/stream/head.test.ts', {
    'head.body': 'leaves nobody who follows: /news',
  }),
  ...rows('apps/server', 'test/people.test.ts', {
    'auth.reveal':
      'what somebody does is on record with their name, and only who may sees confidential words',
  }),
  {
    guard: 'work.layout',
    package: 'packages/host',
    file: 'apps/server/test/older-workers.test.ts',
    test: 'take nothing up once the tables are newer, say why by name, and lose nothing to who can go on',
  },
  ...rows('packages/host', 'src/people/people.test.ts', {
    'person.token': 'a token is told once and kept by its hash alone; one changed letter is another token',
    'person.expired': 'a token counts until its time is over, and from then on for nothing',
  }),
  ...rows('packages/host', 'src/quota/reserve.test.ts', {
    'quota.runs':
      'whatever is reserved, spent, raised and given back: no limit is ever passed, and nothing is left over',
    'quota.amount': 'what is asked for in so many words fits, or nothing is reserved',
  }),
  ...rows('packages/host', 'test/quota.test.ts', {
    'quota.day':
      'of a run whose budget is that of a day, each day counts what it spent, and a day without room ends the run',
  }),
  ...rows('apps/server', 'test/sign-in.test.ts', {
    'sign-in.redirect':
      'a way back counts once, for the page that began it, and only as the provider sent it',
    'sign-in.key': 'a way back counts once, for the page that began it, and only as the provider sent it',
    'sign-in.once': 'a way back counts once, for the page that began it, and only as the provider sent it',
    'sign-in.verified':
      'adds whom the options let in, with the role of their claim, and not whom an owner removed',
    'sign-in.allow':
      'adds whom the options let in, with the role of their claim, and not whom an owner removed',
    'sign-in.removed':
      'adds whom the options let in, with the role of their claim, and not whom an owner removed',
  }),
  ...rows('packages/host', 'src/webhook/signature.test.ts', {
    'webhook.window': 'for all deliveries: believed exactly as signed, with either secret, within the window',
    'webhook.signature':
      'for all deliveries: believed exactly as signed, with either secret, within the window',
  }),
  ...rows('apps/server', 'test/requests.test.ts', {
    'request.unlike': 'for a body that readers read unlike: a member twice',
    'request.twice': 'GET /runs?limit=1&limit=2 -> limit',
    'request.type': 'for a body that is not JSON, not UTF-8, too deep, or of another type',
    'request.depth': 'for a body that is not JSON, not UTF-8, too deep, or of another type',
    'request.shape': 'POST /runs/RUN/mode {"mode":"BANANA"} -> mode',
  }),
  ...rows('apps/server', 'test/doors.test.ts', {
    'answer.credential':
      'an error repeats no credential, and the id of a command that is one is kept by its hash',
    'answer.problem':
      'a problem of a file of the project holds no credential that stands in it or in its name, and not where it lies',
    'answer.name': 'no list of names that come from files holds a credential',
    'request.credential':
      'an error repeats no credential, and the id of a command that is one is kept by its hash',
  }),
  {
    guard: 'host.name',
    package: 'packages/host',
    file: 'apps/server/test/doors.test.ts',
    test: 'an error repeats no credential, and the id of a command that is one is kept by its hash',
  },
  ...rows('apps/server', 'src/health/readiness.test.ts', {
    'ready.draining': "'one process alone'",
    'ready.layout': "'tables of a newer program'",
    'ready.vault': "'a vault that this key does not open'",
    'ready.stalled': "'a free slot and work that it leaves'",
  }),
  ...rows('apps/server', 'src/metrics/open-metrics.test.ts', {
    'metrics.values': 'labels are few, known and plain, and hold nothing that is private',
    'metrics.name': 'labels are few, known and plain, and hold nothing that is private',
  }),
  ...rows('apps/server', 'src/http/read-body.test.ts', {
    'request.size': 'gives up one that is longer than it says',
    'request.time': 'gives up one that does not end in time',
  }),
  ...rows('apps/server', 'src/stream/run-mask.test.ts', {
    'event.mask':
      'hides confidential words of the prompts wherever they are repeated, and shows no live words then',
    'live.mask':
      'hides confidential words of the prompts wherever they are repeated, and shows no live words then',
    'turn.mask': 'masks the prompt of a turn with the hash of the truth, and reveals it to who asks for it',
  }),
  ...rows('apps/server', 'src/stream/event-stream.test.ts', {
    'stream.cursor': 'is refused from behind the end of the run',
    'stream.live': 'gives live words without an id, and says how many a slow follower has missed',
    'stream.slow': 'cuts a follower that takes nothing, which then loses nothing',
  }),
  ...rows('apps/server', 'test/start.test.ts', {
    'start.once': 'waits while another process of the same home is starting one',
    'start.private': 'refuses a home that others can look into, and a token that others can read',
    'start.token': 'refuses a home that others can look into, and a token that others can read',
    'start.stale': 'takes nothing that a dead one left for it, also when its number is used again',
    'start.remote': 'elsewhere only when that was said, and with a warning',
  }),
  ...rows('apps/server', 'test/library.test.ts', {
    'library.path': 'writes no file but those of prompts: cuebook.yaml',
    'library.link': 'writes through no link',
    'library.mask': 'masks what is confidential unless it is asked for',
  }),
  ...rows('apps/server', 'test/fragments.test.ts', {
    'fragments.mask': 'show what other words would do to every Agent, and none of the words of a Secret',
  }),
];
