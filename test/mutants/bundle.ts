import { type Mutant, rows } from './rows.js';

/** The guards of `packages/bundle`. */
export const BUNDLE_MUTANTS: readonly Mutant[] = [
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
  }),
  ...rows('packages/bundle', 'src/trust/flip.test.ts', {
    'trust.spelling': 'no byte of the timestamp can be changed',
  }),
  ...rows('packages/bundle', 'src/trust/keep.test.ts', {
    'trust.target': 'that is not valid is recorded, and the last good one stays',
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
  ...rows('packages/bundle', 'src/platform/entry/admit.test.ts', {
    'admission.binding': 'an agent signs only what it set out to sign',
    'admission.single-use': 'of fifty proofs at once succeeds once',
    'admission.expiry':
      'is refused to a wrong key, another agent’s challenge, one that was changed, used or is too old',
    'admission.proof':
      'is refused to a wrong key, another agent’s challenge, one that was changed, used or is too old',
    'admission.gate': 'and credentials end with the admission',
    'admission.audit': 'are not given when they cannot be put on record',
    'admission.refusals': 'refused again and again is on record so many times and no more',
    'access.hourly': 'are given so many times in an hour and no more',
  }),
  ...rows('packages/bundle', 'src/platform/events.test.ts', {
    'event.once':
      'is one: a second answer of the week changes nothing, and what a crash left undone is finished',
  }),
  ...rows('packages/bundle', 'src/platform/groups.test.ts', {
    'groups.visible':
      'are the circles that share an interest, best first, each with its score; ties stand by id',
  }),
  ...rows('packages/bundle', 'src/place/place.test.ts', {
    'place.verified':
      'is taken from its own key alone, while it is valid, and not below a version that was seen',
  }),
  ...rows('packages/bundle', 'src/platform/platform.test.ts', {
    'platform.role': 'of the role owner may do publish: false',
    'platform.token': 'speaks for its role until it is taken back, and is kept by its hash alone',
    'platform.revoked': 'speaks for its role until it is taken back, and is kept by its hash alone',
  }),
  ...rows('packages/bundle', 'src/resident/look/look.test.ts', {
    'post.author': 'hears that says somebody else wrote it',
  }),
  ...rows('packages/bundle', 'src/resident/life/life.test.ts', {
    'resident.create-once': 'never writes over what is there, though it did not see it',
    'resident.one-retry':
      'asks once more after an answer that breaks its contract, then refuses it and asks no more that day',
  }),
  ...rows('packages/bundle', 'src/resident/life/bounds.test.ts', {
    'resident.inactive':
      'that never had a valid bundle stays inactive and silent: no model, no heartbeat, no object, and it says so',
  }),
  ...rows('packages/bundle', 'src/resident/compose.test.ts', {
    'resident.target': 'never takes a view from the log, and none of another agent than the one it is for',
  }),
  ...rows('packages/bundle', 'src/feedback/feedback.test.ts', {
    'feedback.bounds':
      'makes similar behaviour more likely: the distribution of 1,000 seeded decisions shifts, within bounds',
  }),
  ...rows('packages/bundle', 'src/feedback/give.test.ts', {
    'feedback.post': 'about what is not there is refused',
  }),
  ...rows('packages/bundle', 'src/platform/home/home.test.ts', {
    'rotate.root': 'is founded, opened, published from, and its keys rotated; agents follow',
  }),
  ...rows('packages/bundle', 'src/platform/rollout.test.ts', {
    'platform.repeated':
      'done again under one id answers the same and writes nothing, whatever came in between',
    'experiment.id': 'is not a/b',
    'experiment.counted': 'stands for one pair of versions once something was counted, also after its end',
    'rollout.plan': 'with stages that shrink is refused',
    'rollout.same-plan': 'keeps the plan of its first step',
  }),
  ...rows('packages/bundle', 'src/experiment/experiment.test.ts', {
    'experiment.one-each': 'are refused: two on one scenario',
    'rollout.worse': 'when it is worse at what it is for',
    'rollout.unsure': 'when too little was counted',
  }),
];
