export {
  type ComparisonDocument,
  comparisonDocument,
  type EvalDocument,
  evalDocument,
  type VariantFacts,
} from './comparison/document.js';
export type { MetricScores } from './comparison/metric.js';
export { answeredLine, answererOf, modelNames } from './comparison/models.js';
export type { Score, ScoredCase } from './comparison/score.js';
export { comparisonMarkdown, comparisonText, evalText } from './comparison/view.js';
export { MOST_LEFT_OUT, subsetDesign } from './design/ablation.js';
export {
  type AblationDocument,
  ablationDocument,
  ablationText,
  jointUnits,
  pairsToTry,
  type UnitFacts,
} from './design/ablation-document.js';
export { edgeShares, MOST_EXACT, type OriginShare, shapleyShares } from './design/attribution.js';
export { type EvalPlan, planEval } from './design/plan.js';
export { concerns, contentWords, UNIT_KINDS, type UnitKind, unitsOf } from './design/units.js';
export { applyEdits, type EditOptions } from './edit/apply.js';
export { type PromptEdit, parseEdit, printEdit } from './edit/edit.js';
export {
  type ActStep,
  ATTACK_ENCODINGS,
  INJECTION_KINDS,
  type InjectionKind,
  type InjectionSuite,
  type InjectionTask,
  KIND_OF_PREFIX,
  type StandInTool,
} from './injection/contract.js';
export {
  caseFacts,
  type InjectionCase,
  type InjectionCaseFacts,
  injectionCases,
} from './injection/design.js';
export { type InjectionDocument, type InjectionTake, injectionDocument } from './injection/document.js';
export { readInjectionData } from './injection/import/read-data.js';
export { attackText, slotsIn, worldOf } from './injection/render.js';
export { BUILT_IN_SUITE } from './injection/suite.js';
export { injectionText } from './injection/view.js';
export { type JudgeAgreement, judgeAgreement, markedDifferences } from './judge/agreement.js';
export { type BlindItem, type BlindOptions, type MarkableTake, markOf, nextToMark } from './judge/blind.js';
export { type JudgeFacts, judgeHash, judgeRequest, readVerdict } from './judge/judge.js';
export { type Mark, printMark, readMarks, validMarks } from './judge/mark.js';
export { pairOf, pairScores, pairsInBothOrders } from './judge/pairs.js';
export { duplicateObligations, opposedObligations } from './obligation/conflicts.js';
export { placedObligations } from './obligation/placed.js';
export { shuffled } from './statistics/draws.js';
export { agreementOf, correctedRate, markedMean } from './statistics/judged.js';
export { lookSizes } from './statistics/looks.js';
export { measuredSpread, visibleAmong } from './statistics/power.js';
export { type AnsweredCall, answeredCalls, answersTo, followedBlocks } from './through/recorded-answers.js';
export { patchOf } from './tune/patch.js';
export { checkProposal } from './tune/proposal.js';
export { proposerRequest, readProposal, type TextProposal } from './tune/propose.js';
export { betterHalf, decideTune } from './tune/race.js';
export { splitCases } from './tune/split.js';
