export { type AnswerJudge, correctiveNote } from './answer-judge.js';
export { CONFIG_FILE, loadConfig, type ProjectConfig } from './config.js';
export { hiddenText } from './hidden-text.js';
export { LABEL_FILE, LABEL_NAME, printLabels, readLabels, type StageLabels } from './label/file.js';
export { hashAt, type LabelGround, resolveLabel, revisionOf } from './label/resolve.js';
export type {
  AnyProfile,
  Composed,
  ComposeHow,
  Composition,
  Loaded,
  Profile,
  SourceText,
  TakenInput,
} from './profile.js';
export { parseTarget, printTarget, type Target } from './target.js';
export { watchedSource } from './watched-source.js';
export {
  type ComposedTarget,
  checkTarget,
  composeTarget,
  findProblems,
  findTargets,
  requireProfile,
  type TargetResult,
  type Workbench,
} from './workbench.js';
