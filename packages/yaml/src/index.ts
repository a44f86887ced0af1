export { codePointCounter } from './code-points.js';
export { hasAnchors, printYaml, withKeys } from './edit.js';
export { isSameNumber } from './same-number.js';
export {
  diagnosticAt,
  flatIssues,
  printPath,
  readShape,
  type ShapeIssue,
} from './shape.js';
export { sketchOf } from './sketch.js';
export {
  type ReadYaml,
  readYaml,
  readYamlDocuments,
  type YamlSource,
  yamlWithin,
} from './source.js';
