export { nearest } from '@cuebook/prompt';
export { PROFILE_CODES } from './codes.js';
export { CONFIG_FILE, loadConfig, type ProjectConfig } from './config.js';
export { hiddenText } from './hidden-text.js';
export type { AnyProfile, Composed, Composition, Loaded, Profile, SourceText } from './profile.js';
export { sketchOf } from './sketch.js';
export { parseTarget, printTarget, type Target } from './target.js';
export { watchedSource } from './watched-source.js';
export {
  type CheckedTarget,
  type ComposedTarget,
  checkTarget,
  composeTarget,
  findProblems,
  findTargets,
  requireProfile,
  type TargetResult,
  type Workbench,
} from './workbench.js';
export type { YamlDialect } from './yaml-parse.js';
export {
  diagnosticAt,
  flatIssues,
  printPath,
  type ReadShape,
  readShape,
  type ShapeIssue,
} from './yaml-shape.js';
export {
  type ReadYaml,
  readYaml,
  readYamlDocuments,
  type YamlDocuments,
  type YamlSource,
  yamlWithin,
} from './yaml-source.js';
