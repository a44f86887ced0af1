export { nearest } from '@cuebook/prompt';
export { PROFILE_CODES } from './codes.js';
export { CONFIG_FILE, loadConfig, type ProjectConfig } from './config.js';
export { hiddenText } from './hidden-text.js';
export type { AnyProfile, Composed, Composition, Loaded, Profile } from './profile.js';
export { parseTarget, printTarget, type Target } from './target.js';
export {
  type ComposedTarget,
  composeTarget,
  findProblems,
  findTargets,
  requireProfile,
  type TargetResult,
  type Workbench,
} from './workbench.js';
export type { YamlDialect } from './yaml-parse.js';
export { diagnosticAt, printPath, readShape } from './yaml-shape.js';
export {
  readYaml,
  readYamlDocuments,
  type YamlDocuments,
  type YamlSource,
  yamlWithin,
} from './yaml-source.js';
