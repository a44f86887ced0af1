export { BUILTIN_NAME, BUILTIN_PROMPTS, builtinConfigMap, KAGENT_BUILTIN_NAME } from './builtin.js';
export { checkAgent } from './check.js';
export { MANIFEST_CODES } from './codes.js';
export { type ContextText, type TemplateContext, templateContext } from './context.js';
export { notIncluded } from './include.js';
export {
  AGENT_VERSIONS,
  collectManifests,
  type ManifestProblem,
  type Manifests,
  objectKey,
  type Texts,
} from './manifests.js';
export type { Agent, Fragment, ObjectName, TextKind, TextObject } from './object.js';
export { plainObject } from './plain-object.js';
export { createManifestProfile, type ManifestSource, manifestProfile } from './profile.js';
export { createManifestReader, parseManifests, type ReadManifests, type ReadOptions } from './read.js';
export { isTemplate, type Reference, referencesOf, resolveAgent } from './resolve.js';
export type { Resolved } from './resolved.js';
