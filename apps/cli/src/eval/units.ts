import {
  concerns,
  type EditOptions,
  MOST_LEFT_OUT,
  type PromptEdit,
  parseEdit,
  printEdit,
  subsetDesign,
  UNIT_KINDS,
  type UnitFacts,
  type UnitKind,
  unitsOf,
} from '@cuebook/eval';
import { createTokenCounter } from '@cuebook/prompt';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { type Flags, flagValue } from '../command.js';
import { Failure, usage } from '../failure.js';
import type { Bench } from '../project/bench.js';
import type { EvalAbout } from './about.js';
import { NO_DIFF, type OpenedVariants, type PreparedEval, type VariantsInput } from './opened.js';
import type { ToldRequest } from './turns.js';
import { type CaseRequest, composeVariant, editedRequest, type Variant } from './variant.js';

interface UnitInput {
  readonly flags: Flags;
  readonly takes: number;
  readonly seed: number;
  /** What is asked of all answers. */
  readonly metrics: readonly object[];
}

/** The prompt as it is, and without each of its units: one by one, or random subsets where there are many. */
export async function openUnits(
  bench: Bench,
  input: VariantsInput,
  { flags, takes, seed, metrics }: UnitInput,
): Promise<OpenedVariants> {
  const { tests } = input;
  const target = [...new Set(tests.map(({ target: of }) => of))].join(', ');
  const base: Variant = { name: 'base', target, bench, edits: [] };
  const whole: CaseRequest[] = [];
  for (const test of tests) whole.push(await composeVariant(base, test, input));
  const told = whole.map(toldOf);
  const withEdits = (edits: readonly PromptEdit[]): readonly CaseRequest[] =>
    told.map((each) => editedRequest(bench, each, edits, DROPS));
  const kind = kindOf(flags);
  const blocks = whole.flatMap(({ kept }) => kept.blocks);
  const edits = unitsOf(blocks, kind).map(({ at, ...unit }) => ({
    ...unit,
    edit: { edit: 'drop', at } as const,
  }));
  const isWithout: (readonly CaseRequest[])[] = [];
  const kept: (typeof edits)[number][] = [];
  for (const each of edits) {
    const without = unlessRefused(() => withEdits([each.edit]));
    if (without === undefined || without.every(({ matched }) => matched[0] === 0)) continue;
    isWithout.push(without);
    kept.push(each);
  }
  if (kept.length === 0)
    throw new Failure('E_ABLATE_NONE', `${target} has no unit of kind ${kind} that can be left out`, {
      exit: 1,
    });
  const count = createTokenCounter(await loadTokenizer());
  const size = (requests: readonly CaseRequest[]): number =>
    requests.reduce((sum, { request }) => sum + count(request.prompt).total, 0) / requests.length;
  const before = size(whole);
  const words = tests.map(({ with: given, input: said, args, answer }) =>
    JSON.stringify([given, said, args, answer, metrics]),
  );
  const units = kept.map(
    ({ edit, text, file, line }, at): UnitFacts => ({
      edit: printEdit(edit),
      text,
      file: file ?? null,
      line: line ?? null,
      tokens: before - size(isWithout[at] as readonly CaseRequest[]),
      exercised: words.some((each) => concerns(text, each)),
    }),
  );
  const design = designOf(flags, units.length);
  const ablation = { kind, design, units };
  const shared = { origins: [], diff: NO_DIFF, ablation };
  if (design === 'loo')
    return {
      ...shared,
      variants: [base, ...kept.map(({ edit }, at) => ({ name: `but-${at}`, target, edits: [edit] }))],
      composed: tests.map((_, at) => [
        whole[at] as CaseRequest,
        ...isWithout.map((each) => each[at] as CaseRequest),
      ]),
    };
  return { ...shared, ...openSubsets() };

  /** Each take of a case keeps units of its own. */
  function openSubsets(): Pick<OpenedVariants, 'variants' | 'composed' | 'own' | 'whole'> {
    const masks = subsetDesign(units.length, { takes: tests.length * takes, keep: KEPT, seed });
    const own: (readonly string[])[] = [];
    const composed: (readonly CaseRequest[])[] = [];
    for (const [at, each] of told.entries()) {
      const mine = masks.slice(at * takes, (at + 1) * takes);
      own.push(mine.map(maskOf));
      composed.push(
        mine.map((mask) => {
          const dropped = kept.flatMap(({ edit }, unit) => (mask[unit] ? [] : [edit]));
          return editedRequest(bench, each, dropped, DROPS);
        }),
      );
    }
    const names = [...new Set(own.flat())].sort();
    return {
      variants: [base, ...names.map((name) => ({ name, target, edits: [] }))],
      composed,
      own,
      whole: whole.map((each) => [each]),
    };
  }
}

const KEPT = 0.85;

/** What a subset is called: which units it keeps. */
const maskOf = (mask: readonly boolean[]): string => `kept-${mask.map(Number).join('')}`;

/** The same read back. */
export const unitsKept = (name: string): readonly boolean[] | undefined => {
  const bits = /^kept-([01]+)$/u.exec(name)?.[1];
  return bits === undefined ? undefined : [...bits].map((bit) => bit === '1');
};

/** A later step: these sets of units are left out, each set together, beside the prompt as it is. */
export function stepOf(
  bench: Bench,
  { cases, about, looks }: PreparedEval,
  step: NonNullable<NonNullable<EvalAbout['ablation']>['step']>,
): PreparedEval {
  const ablation = about.ablation as NonNullable<EvalAbout['ablation']>;
  const sets = step.sets.map((set) =>
    set.map((unit): PromptEdit => {
      const edit = parseEdit((ablation.units[unit] as UnitFacts).edit);
      if (!edit.ok) throw new TypeError('a unit is left out by an edit that can be read');
      return edit.value;
    }),
  );
  return {
    looks,
    about: {
      ...about,
      names: ['base', ...sets.map((_, at) => `set-${at}`)],
      ablation: { ...ablation, step },
    },
    cases: cases.map(({ id, requests: [whole] }) => ({
      id,
      requests: [
        whole as CaseRequest,
        ...sets.map((edits) => editedRequest(bench, toldOf(whole as CaseRequest), edits, DROPS)),
      ],
    })),
  };
}

/** Units are left out, never replaced. */
const DROPS: EditOptions = {
  words: () => {
    throw new TypeError('a unit is left out and not replaced');
  },
};

const toldOf = ({ kept: { blocks, tools, params }, request }: CaseRequest): ToldRequest => ({
  ...{ blocks, tools, params, request },
  prompt: request.prompt,
});

/** A unit whose removal the gates refuse stays in. */
function unlessRefused<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function kindOf(flags: Flags): UnitKind {
  const given = flagValue(flags, 'units') ?? 'obligation';
  const found = UNIT_KINDS.find((kind) => kind === given);
  if (found === undefined) throw usage(`--units takes one of ${UNIT_KINDS.join(', ')}`);
  return found;
}

function designOf(flags: Flags, units: number): 'loo' | 'subsets' {
  const given = flagValue(flags, 'design');
  if (given !== undefined && given !== 'loo' && given !== 'subsets')
    throw usage('--design takes loo (each unit left out once) or subsets (random subsets, fitted)');
  return given ?? (units > MOST_LEFT_OUT ? 'subsets' : 'loo');
}
