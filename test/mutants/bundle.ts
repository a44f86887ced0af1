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
];
