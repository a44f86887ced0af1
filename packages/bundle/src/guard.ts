/**
 * Every check that keeps a promise passes through here under a name. It is the identity: nothing can
 * switch a guard off at run time. `npm run mutants` swaps this module for one that answers false to one
 * name at a time and expects a named test to fail.
 */
export function guard(_name: GuardName, found: boolean): boolean {
  return found;
}

/** The guards of this package. Each has a row in `test/mutants/bundle.ts`. */
export type GuardName =
  // strict JSON
  | 'json.size'
  | 'json.utf8'
  | 'json.depth'
  | 'json.duplicate'
  | 'json.surrogate'
  | 'json.number'
  | 'json.prototype'
  | 'json.canonical'
  // cards and outputs
  | 'card.invisible'
  | 'card.view-bound'
  | 'review.version'
  | 'review.self'
  | 'review.gate'
  | 'fill.undeclared'
  | 'output.length'
  | 'output.impersonation'
  | 'output.proposal'
  // certification
  | 'cert.spelling'
  | 'cert.signature'
  | 'cert.kind'
  | 'cert.subject'
  | 'cert.place'
  | 'cert.version'
  | 'cert.floor'
  | 'cert.expiry'
  // keys
  | 'key.place'
  // trust
  | 'trust.floor'
  | 'trust.spelling'
  | 'trust.delegated-path'
  | 'trust.target'
  | 'trust.replaced-key'
  | 'publish.version'
  | 'trust.card-link'
  | 'trust.template'
  | 'trust.review'
  // transparency log
  | 'log.inclusion'
  | 'log.consistency'
  | 'log.shrunk'
  // objects
  | 'objects.key'
  | 'objects.create-once'
  | 'objects.read-bound'
  | 's3.create-once'
  | 'serve.scope'
  | 'serve.body-bound'
  | 'serve.create-only'
  // access: scopes, policies, tokens
  | 'access.public-only'
  | 'access.visible'
  | 'access.id'
  | 'access.policy-size'
  | 'access.lifetime'
  | 'token.signature'
  | 'token.expiry'
  | 'token.audience'
  // admission
  | 'admission.binding'
  // places: topics, tasks, circles
  | 'place.verified'
  | 'post.author'
  // feedback
  | 'feedback.bounds';
