import { type Mutant, rows } from './rows.js';

/** The guards of `packages/eval`. */
export const EVAL_MUTANTS: readonly Mutant[] = [
  ...rows('packages/eval', 'test/simulation.test.ts', {
    'eval.missing': '10: what is missing is not zero: the verdict is open and names it, and the mean stays',
    'eval.clusters': '2: few clusters; with four the verdict is open',
    'eval.looks': 'beyond the plan only the interval for any look counts, and it needs fifty clusters',
    'eval.judged':
      '11: a judge with taste invents differences; without marks it cannot pass, with marks it is put right',
    'eval.cluster': '1: the interval covers the truth, and the naive one does not',
    'eval.guards': 'several guards are tested together, and one that is worse stops',
  }),
  ...rows('packages/eval', 'test/models.test.ts', {
    'eval.models':
      'a comparison is open when a model changed midway, or another one answered under each variant that nobody chose',
    'eval.model-arms':
      'a comparison is open when a model changed midway, or another one answered under each variant that nobody chose',
  }),
  ...rows('packages/eval', 'test/ablation.test.ts', {
    'eval.exercised':
      '22: a rule that no case concerns is not exercised; with cases that do, they are its sensors',
    'eval.joint': '20: a redundant pair does not go: the joint step stops it and names the pair',
  }),
  ...rows('packages/eval', 'test/edit.test.ts', {
    'edit.protected': 'what matches nothing is told, and structure and confidential text are not touched',
  }),
  ...rows('packages/eval', 'test/tune.test.ts', {
    'tune.held': '27: clusters are never on both sides, a case stays on its side, and decisions are counted',
    'tune.input': 'E_TUNE_INPUT',
    'tune.scope': 'E_TUNE_SCOPE',
    'tune.obligation': 'E_TUNE_OBLIGATION',
    'tune.tool': 'E_TUNE_TOOL',
    'tune.tokens': 'E_TUNE_TOKENS',
    'tune.copy': 'E_TUNE_COPY',
  }),
  ...rows('packages/eval', 'test/obligations.test.ts', {
    'obligation.condition': 'are told of sixty pairs that a person has labelled: precision .9, recall .6',
  }),
  ...rows('packages/eval', 'test/injection.test.ts', {
    'injection.acts': 'sees acts and no words about them',
  }),
  ...rows('packages/host', 'test/eval-kind.test.ts', {
    'eval.cut':
      'a take that is stopped before its answer is no take: it is asked for again, with as many at a time as before',
    'eval.paid': 'a take that is on record elsewhere is passed over',
  }),
];
