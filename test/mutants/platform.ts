import { type Mutant, rows } from './rows.js';

/** The guards of `packages/platform`. */
export const PLATFORM_MUTANTS: readonly Mutant[] = [
  ...rows('packages/platform', 'src/entry/admit.test.ts', {
    'admission.single-use': 'of fifty proofs at once succeeds once',
    'admission.expiry':
      'is refused to a wrong key, another agent’s challenge, one that was changed, used or is too old',
    'admission.proof':
      'is refused to a wrong key, another agent’s challenge, one that was changed, used or is too old',
    'admission.replaced':
      'is refused to a key that was replaced, also after it was ended, and whatever the card says',
    'admission.gate': 'and credentials end with the admission',
    'admission.audit': 'are not given when they cannot be put on record',
    'admission.refusals': 'refused again and again is on record so many times and no more',
    'access.hourly': 'are given so many times in an hour and no more',
  }),
  ...rows('packages/platform', 'src/proposals.test.ts', {
    'proposal.role': 'lets others join who asked to, in the role that they asked for',
  }),
  ...rows('packages/platform', 'src/events.test.ts', {
    'event.once':
      'is one: a second answer of the week changes nothing, and what a crash left undone is finished',
  }),
  ...rows('packages/platform', 'src/groups.test.ts', {
    'groups.visible':
      'are the circles that share an interest, best first, each with its score; ties stand by id',
  }),
  ...rows('packages/platform', 'src/platform.test.ts', {
    'platform.role': 'of the role owner may do publish: false',
    'platform.token': 'speaks for its role until it is taken back, and is kept by its hash alone',
    'platform.revoked': 'speaks for its role until it is taken back, and is kept by its hash alone',
  }),
  ...rows('packages/platform', 'src/feedback/give.test.ts', {
    'feedback.post': 'about what is not there is refused',
  }),
  ...rows('packages/platform', 'src/home/home.test.ts', {
    'keys.change': 'is founded, opened, published from, and its keys rotated; agents follow',
    'request.platform': 'takes what holders signed elsewhere: a request out, signatures in, and no other',
  }),
  ...rows('packages/platform', 'src/reviewers.test.ts', {
    'review.threshold': 'waits until as many have signed as must agree, whoever comes first',
    'review.rollback': 'is signed again before it ends, above the one before',
    'review.self-again': 'is signed again before it ends, above the one before',
  }),
  ...rows('packages/platform', 'src/rollout.test.ts', {
    'platform.repeated':
      'done again under one id answers the same and writes nothing, whatever came in between',
    'experiment.id': 'is not a/b',
    'experiment.counted': 'stands for one pair of versions once something was counted, also after its end',
    'rollout.plan': 'with stages that shrink is refused',
    'plan.expectation': 'with an effect past everything is refused',
    'rollout.same-plan': 'keeps the plan of its first step',
  }),
  ...rows('packages/platform', 'src/experiment/count-day.test.ts', {
    'count.ended':
      'a day is counted once: of each agent the share of its posts that were liked, and answered',
  }),
  ...rows('packages/platform', 'src/experiment/experiment.test.ts', {
    'experiment.one-each': 'are refused: two on one scenario',
    'rollout.worse': 'when it is worse at what it is for',
    'rollout.unsure': 'when too little was counted',
    'rollout.promote': 'goes stage by stage to everybody, and stays back once it went back',
  }),
  ...rows('packages/platform', 'src/library/library.test.ts', {
    'library.fits': 'is not asked about no words',
    'library.cases-run':
      'of a version with test cases runs them, and is refused while one fails or nobody can run them',
    'library.cases-pass':
      'of a version with test cases runs them, and is refused while one fails or nobody can run them',
    'library.own-version': 'is somebody else’s word, once, about the version that was read',
    'library.version-stays': 'shows who signs exactly what is new, and refuses a version whose words changed',
    'library.stale': 'counts for one platform, one list and one key; a second time it changes nothing',
    'library.words': 'counts for one platform, one list and one key; a second time it changes nothing',
    'library.pin-listed': 'takes a new version from a draft to agents, who sync and go on',
    'library.retire-tried': 'an experiment compares two listed versions, and keeps both from retiring',
    'library.retire-active': 'an experiment compares two listed versions, and keeps both from retiring',
  }),
  ...rows('packages/platform', 'src/library/read-version.test.ts', {
    'library.rollback-from':
      'two people who roll back at the same time go one step back when each names what they saw',
  }),
];
