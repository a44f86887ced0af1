import { type Mutant, rows } from './rows.js';

/** The guards of `packages/bundle`. */
export const BUNDLE_MUTANTS: readonly Mutant[] = [
  ...rows('packages/bundle', 'src/access/access.test.ts', {
    'access.upload-key':
      'an address is signed only for a key that every store reads alike, below what the scope opens',
  }),
  ...rows('packages/bundle', 'src/json/json.test.ts', {
    'json.size': 'a text past its size is refused',
    'json.utf8': 'bytes that are no text',
    'json.depth': '33 levels',
    'json.duplicate': 'a member twice',
    'json.surrogate': 'half a character',
    'json.number': 'an integer past 2^53',
    'json.prototype': 'a name that is no name',
    'json.canonical': 'members out of order',
  }),
  ...rows('packages/bundle', 'src/card/card.test.ts', {
    'card.invisible': 'a text that turns around',
    'card.impersonation': 'a story that claims',
    'card.inspiration-name': 'the name of its inspiration',
    'card.view-bound': 'its view holds 600 code points and not 601',
    'review.version': 'nobody decides on their own card, on another version, or on somebody else’s draft',
    'review.self': 'nobody decides on their own card, on another version, or on somebody else’s draft',
    'review.gate': 'waits, is approved, and starts again with every change',
  }),
  ...rows('packages/bundle', 'src/scenario/scenario.test.ts', {
    'fill.undeclared': "reply refuses { base_prompt: 'x' }",
  }),
  ...rows('packages/bundle', 'src/scenario/output.test.ts', {
    'output.length': 'to intro: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is taken: false',
    'output.impersonation': 'is refused in text and in JSON',
    'output.proposal':
      'to daily_checkin: {"checkin_text":"Hi","proposal":{"type":"propose_task","title":"x","summary":"x","visibility":"public","expected_outputs":["x"],"tags":[],"timebox_hours":5}} is taken: false',
  }),
  ...rows('packages/bundle', 'src/cert/cert.test.ts', {
    'cert.spelling': 'is not taken in another form, though it says the same',
    'cert.signature': 'with another issuer is refused',
    'cert.kind': 'is valid for one kind, one subject, one place, and for its time',
    'cert.subject': 'is valid for one kind, one subject, one place, and for its time',
    'cert.place': 'is valid for one kind, one subject, one place, and for its time',
    'cert.version': 'is valid for one kind, one subject, one place, and for its time',
    'cert.floor': 'is valid for one kind, one subject, one place, and for its time',
    'cert.expiry': 'is valid for one kind, one subject, one place, and for its time',
  }),
  ...rows('packages/bundle', 'src/key/key.test.ts', {
    'key.place': 'keys that one loss would take together are not made',
  }),
  ...rows('packages/bundle', 'src/trust/sync.test.ts', {
    'trust.floor': 'cannot go back',
    'trust.target': 'does not act on what a saved state was edited to',
    'trust.clock': 'cannot make an old state look fresh by setting the clock back',
    'trust.timestamp-subject': 'keeps to its own: nothing of another agent fits',
  }),
  ...rows('packages/bundle', 'src/trust/flip.test.ts', {
    'trust.spelling': 'no byte of the timestamp can be changed',
  }),
  ...rows('packages/bundle', 'src/trust/keep.test.ts', {
    'trust.clock-back':
      'remembers the latest time that it knows of: a frozen store is found when the clock is set back too',
  }),
  ...rows('packages/bundle', 'src/trust/thief.test.ts', {
    'trust.delegated-path': 'is not heard: a card listed under another path pattern',
    'trust.replaced-key':
      'is shut out by a rotation, also from agents that were away for two, and may have counted to the end',
    'trust.card-link': 'cannot slip words into the bundle that the card does not have',
    'trust.template': 'cannot mint a template, a preset or a base prompt',
    'trust.review': 'cannot mint a template, a preset or a base prompt',
    'publish.version':
      'a publication with a version that is not higher is refused, and nothing of it is stored',
  }),
  // Who signs offline is tried where requests are made and reviews are taken.
  ...[
    [
      'request.version',
      'src/home/home.test.ts',
      'takes what holders signed elsewhere: a request out, signatures in, and no other',
    ],
    [
      'request.current',
      'src/library/rotation.test.ts',
      'a request of keys outlives what it does not touch, and no change of what it does',
    ],
    [
      'request.same',
      'src/home/home.test.ts',
      'takes what holders signed elsewhere: a request out, signatures in, and no other',
    ],
    [
      'request.threshold',
      'src/home/home.test.ts',
      'takes what holders signed elsewhere: a request out, signatures in, and no other',
    ],
    [
      'review.signature',
      'src/platform.test.ts',
      'is not approved without the reviewer’s signature over exactly this card',
    ],
    ['heartbeat.signature', 'src/fleet.test.ts', 'is believed with the signature of its key alone'],
  ].map(([guard = '', file = '', test = '']) => ({
    ...{ guard, package: 'packages/bundle', file: `packages/platform/${file}`, test },
  })),
  ...rows('packages/bundle', 'src/log/log.test.ts', {
    'log.inclusion': 'shows what was published, and that nothing was taken back',
    'log.consistency': 'shows what was published, and that nothing was taken back',
    'log.shrunk': 'shows what was published, and that nothing was taken back',
  }),
  ...rows('packages/bundle', 'src/objects/objects.test.ts', {
    'objects.key': 'have no key like "/a"',
    'objects.create-once': 'are created once by one of twenty',
  }),
  ...rows('packages/bundle', 'src/objects/served.test.ts', {
    'serve.scope': 'reads what is its own and what is public, and writes its heartbeat',
    'access.public-only': 'reads what is its own and what is public, and writes its heartbeat',
    'serve.body-bound': 'writes once where it may write once, and no more than there is room for',
    'serve.create-only': 'writes once where it may write once, and no more than there is room for',
    'access.lifetime': 'is told nothing without one, with an old one, or with one of another platform',
    'token.signature': 'is told nothing without one, with an old one, or with one of another platform',
    'token.expiry': 'is told nothing without one, with an old one, or with one of another platform',
    'token.audience': 'is told nothing without one, with an old one, or with one of another platform',
    'objects.read-bound': 'past the limit are not read',
  }),
  ...rows('packages/bundle', 'src/objects/s3.test.ts', {
    's3.create-once': 'are created once by one of twenty',
  }),
  ...rows('packages/bundle', 'src/access/access.test.ts', {
    'access.visible': 'follows the visibility of a place',
    'access.id': 'has no place for the id "*"',
    'access.policy-size': 'of the longest ids fits as well',
  }),
  ...rows('packages/bundle', 'src/place/place.test.ts', {
    'place.verified':
      'is taken from its own key alone, while it is valid, and not below a version that was seen',
  }),
  ...rows('packages/bundle', 'src/feedback/feedback.test.ts', {
    'feedback.bounds':
      'makes similar behaviour more likely: the distribution of 1,000 seeded decisions shifts, within bounds',
  }),
  // What both sides rely on is tried where it is used.
  {
    guard: 'admission.binding',
    package: 'packages/bundle',
    file: 'packages/platform/src/entry/admit.test.ts',
    test: 'an agent signs only what it set out to sign',
  },
  {
    guard: 'post.author',
    package: 'packages/bundle',
    file: 'packages/resident/src/look/look.test.ts',
    test: 'hears that says somebody else wrote it',
  },
  ...rows('packages/bundle', 'src/trust/version.test.ts', {
    'library.lists':
      'is found by a byte that differs, in it, in the list, in the roles or in the way to them',
  }),
];
