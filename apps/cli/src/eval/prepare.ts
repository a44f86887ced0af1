import {
  type EditOptions,
  lookSizes,
  modelNames,
  type PromptEdit,
  parseEdit,
  printEdit,
  type VariantFacts,
} from '@cuebook/eval';
import { asJson } from '@cuebook/journal/json';
import { createTokenCounter, hasErrors } from '@cuebook/prompt';
import type { PromptDiff } from '@cuebook/prompt/diff';
import { loadTokenizer } from '@cuebook/provider/tokenizer';
import { type Call, flagValue, flagValues, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { diffText } from '../output/diff-text.js';
import { compareMasked } from '../output/masked-diff.js';
import { styleFor } from '../output/style.js';
import { type Bench, benchOver } from '../project/bench.js';
import type { ProjectDiff } from '../project/project-diff.js';
import type { EvalSetting, TestCase } from '../prompt-test/case-file.js';
import { OWN_METRIC } from '../prompt-test/case-file.js';
import { openDesk } from '../prompt-test/desk.js';
import { findCases } from '../prompt-test/find-cases.js';
import { isTurnName } from '../record/turn-name.js';
import { type EvalAbout, maskName } from './about.js';
import { judgesOf } from './judge/file.js';
import { share, wholeNumber } from './numbers.js';
import { NO_DIFF, type OpenedVariants, type PreparedEval, type VariantsInput } from './opened.js';
import { turnCases, withTurns } from './turns.js';
import { openUnits } from './units.js';
import { type CaseRequest, composeVariant, overlaid, type Variant } from './variant.js';
import { voicedCall } from './voice.js';

/** Reads the cases that a call names and composes each under every variant. Nobody is asked and nothing is written. */
export async function prepareEval(call: Call, bench: Bench, what: EvalAbout['what']): Promise<PreparedEval> {
  const { args, flags } = call;
  const isThrough = isOn(flags, 'through');
  const {
    tests,
    requests: recorded,
    answers,
  } = args.some(isTurnName)
    ? await turnCases(call, bench)
    : await withTurns(call, bench, await casesOf(call, bench));
  if (isThrough && tests.some(({ name }) => !answers.has(name)))
    throw usage('--through follows turns on record: name some, or a file of cases that are turns');
  const setting = settingOf(tests);
  const voiced = voicedCall(call, tests);
  const seed = wholeNumber(flags, 'seed', [0, 2 ** 31]) ?? 20240229;
  const takes = wholeNumber(flags, 'takes', [1, 100]) ?? setting.takes ?? 1;
  const { desk, close } = await openDesk(call, bench, new Map());
  try {
    const input: VariantsInput = { ...{ what, tests, desk, recorded }, options: editOptions(flags) };
    const opened =
      what === 'ablate'
        ? await openUnits(bench, input, { flags, takes, seed, metrics: Object.values(setting.metrics ?? {}) })
        : await openVariants(call, bench, input);
    const { variants, origins, composed, diff, ablation, change } = opened;
    const ids = idsOf(tests);
    const counts = createTokenCounter(await loadTokenizer());
    const shown = what === 'ablate' ? variants.slice(0, 1) : variants;
    const facts = shown.map((variant, at): VariantFacts => {
      const requests = (opened.whole ?? composed).map((each) => each[at] as CaseRequest);
      const tokens = requests.map(({ request }) => counts(request.prompt).total);
      const asks = modelNames(requests.map(({ request: { params } }) => modelIn(params)));
      return {
        target: variant.target,
        edits: variant.edits.map(printEdit),
        hash: bench.hash(requests.map(requestKey).join('\n')),
        tokens: tokens.reduce((sum, each) => sum + each, 0) / Math.max(1, tokens.length),
        ...(asks.length === 0 ? {} : { asks }),
      };
    });
    const asked = Object.entries(setting.metrics ?? {});
    const metrics = Object.fromEntries(
      asked.flatMap(([name, of]) => ('answer' in of ? [[name, of.answer]] : [])),
    );
    const judges = await judgesOf(voiced, bench, asked);
    if (what !== 'compare' && Object.values(judges).some(({ bothOrders }) => bothOrders))
      throw usage('A judge with both-orders says which of two answers is better: it is for compare');
    const hasOwn = tests.some(({ answer }) => answer !== undefined);
    const primary = setting.gate?.primary ?? (hasOwn ? OWN_METRIC : (asked[0]?.[0] ?? OWN_METRIC));
    if (what === 'ablate' && Object.hasOwn(judges, primary))
      throw usage('ablate takes a metric with answer: name one as gate.primary');
    const planned =
      what !== 'compare' ? 1 : (wholeNumber(flags, 'looks', [1, 5]) ?? setting.gate?.looks ?? 1);
    return {
      cases: tests.map((_, at) => ({
        id: ids[at] as string,
        requests: composed[at] as readonly CaseRequest[],
        ...(opened.own === undefined ? {} : { variants: opened.own[at] as readonly string[] }),
      })),
      looks: lookSizes(tests.length, planned),
      call: voiced,
      ...(isThrough
        ? {
            answers: new Map(
              tests.map(({ name }, at) => [ids[at] as string, answers.get(name) ?? []] as const),
            ),
          }
        : {}),
      about: {
        what,
        ...(isThrough ? { through: true as const } : {}),
        seed,
        takes,
        margin: share(flags, 'margin') ?? setting.gate?.margin ?? (what === 'ablate' ? 0.1 : 0.05),
        primary,
        guards: setting.gate?.guards ?? [],
        metrics,
        cases: tests.map(({ cluster, target, answer }, at) => ({
          id: ids[at] as string,
          cluster: cluster ?? (ids[at] as string),
          target,
          ...(answer === undefined ? {} : { checks: answer }),
        })),
        variants: facts,
        names: variants.map(({ name }) => name),
        origins,
        ...diff,
        ...(change === undefined ? {} : { change }),
        ...(ablation === undefined ? {} : { ablation }),
        ...(Object.keys(judges).length === 0 ? {} : { judges }),
      },
    };
  } finally {
    await close();
  }
}

const modelIn = ({ model }: { readonly model?: unknown }): string | undefined =>
  typeof model === 'string' ? model : undefined;

async function casesOf({ args, flags, io }: Call, bench: Bench): Promise<readonly TestCase[]> {
  const wanted = { named: args, filter: flagValue(flags, 'filter'), folder: bench.folder, cwd: io.cwd };
  const found = await findCases(bench.files, wanted);
  if (hasErrors(found.diagnostics)) throw diagnosed(found.diagnostics);
  const tests = found.cases.filter(
    ({ answer, evals }) => answer !== undefined || evals?.metrics !== undefined,
  );
  if (tests.length === 0)
    throw new Failure('E_EVAL_NONE', 'No case that the call names says what an answer must be');
  return tests;
}

/** Requests are the same when every byte that is sent is. */
export const requestKey = ({ kept: { hash }, request: { tools, params } }: CaseRequest): string =>
  JSON.stringify([hash, tools, params]);

/** What files ask of all answers; two files that ask for different things are not one eval. */
function settingOf(tests: readonly TestCase[]): EvalSetting {
  const asked = new Set(tests.map(({ evals }) => JSON.stringify(evals ?? {})));
  if (asked.size > 1)
    throw new Failure(
      'E_EVAL_NONE',
      'The files of cases ask for different metrics or gates: name one of them',
    );
  return tests[0]?.evals ?? {};
}

/** Cases of several files are told apart by their file. */
function idsOf(tests: readonly TestCase[]): readonly string[] {
  const files = new Set(tests.map(({ file }) => file));
  return tests.map(({ file, name }) => (files.size === 1 ? name : `${file}#${name}`));
}

/** A file of the project is its author's; words of the call are a user's, and may not give orders. */
function editOptions(flags: Call['flags']): EditOptions & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    reveal: isOn(flags, 'reveal'),
    words: (by) =>
      'file' in by
        ? {
            text: texts.get(by.file) ?? '',
            origin: { kind: 'file', ref: by.file, line: 1, column: 1 },
            trust: 'author',
            secrecy: 'public',
            volatility: 'build',
          }
        : {
            text: by.text,
            origin: { kind: 'input', ref: '--change' },
            trust: 'user',
            secrecy: 'public',
            volatility: 'turn',
          },
  };
}

async function openVariants(call: Call, bench: Bench, input: VariantsInput): Promise<OpenedVariants> {
  const { what, tests, options } = input;
  const shown = [...new Set(tests.map(({ target }) => target))].join(', ');
  const now: Variant = { name: 'base', target: shown, bench, edits: [] };
  const compose = async (variant: Variant): Promise<readonly CaseRequest[]> => {
    const all: CaseRequest[] = [];
    for (const test of tests) all.push(await composeVariant(variant, test, input));
    return all;
  };
  if (what === 'eval') {
    const only = await compose(now);
    return { variants: [now], origins: [], composed: only.map((each) => [each]), diff: NO_DIFF };
  }
  const edits = await editsOf(call, bench, options.texts);
  const revision = flagValue(call.flags, 'base');
  if (edits.length === 0 && revision === undefined)
    throw usage('compare needs --base REVISION, or --change EDIT, or both');
  const base = revision === undefined ? now : await atRevision(bench, now, revision);
  const candidate: Variant = { name: 'candidate', target: shown, bench, edits };
  const [before, after] = [await compose(base), await compose(candidate)];
  for (const [at, edit] of edits.entries())
    if (after.every(({ matched }) => matched[at] === 0))
      throw new Failure('E_EDIT_NOTHING', `${printEdit(edit)} matches nothing in any case`, { exit: 1 });
  const differ = before.findIndex((each, at) => requestKey(each) !== requestKey(after[at] as CaseRequest));
  if (differ === -1)
    throw new Failure('E_COMPARE_SAME', 'Base and candidate are the same, byte for byte, in every case', {
      exit: 1,
    });
  const diff = diffOf(before[differ] as CaseRequest, after[differ] as CaseRequest, [
    base.target,
    candidate.target,
  ]);
  const more = isOn(call.flags, 'by-origin')
    ? partVariants(base, candidate, diff.paths)
    : { origins: [], parts: [] };
  const parts: (readonly CaseRequest[])[] = [];
  for (const part of more.parts) parts.push(await compose(part));
  return {
    variants: [base, candidate, ...more.parts],
    origins: more.origins,
    composed: tests.map(
      (_, at) => [before[at], after[at], ...parts.map((part) => part[at])] as readonly CaseRequest[],
    ),
    diff: { diff: diff.diff, diffText: diff.diffText },
    change: await changeOf(base, candidate, { diff: diff.whole, target: tests[differ]?.target ?? shown }),
  };
}

/** What changes in all prompts of the project: since the revision, or by the edits, which reach whoever holds their words. */
async function changeOf(
  base: Variant,
  candidate: Variant,
  of: { readonly diff: PromptDiff; readonly target: string },
): Promise<ProjectDiff> {
  const { diffProjects, mergeDiffs } = await import('../project/project-diff.js');
  const names = { before: base.target, after: candidate.target };
  const { project } = base.bench;
  if (project !== candidate.bench.project && candidate.edits.length === 0)
    return diffProjects(base.bench, candidate.bench, names);
  const { composeAll } = await import('../project/compose-all.js');
  const all = await composeAll(base.bench, candidate.bench);
  return mergeDiffs([of], all, { ...names, sources: [project, candidate.bench.project] });
}

async function editsOf(
  { flags }: Call,
  bench: Bench,
  texts: Map<string, string>,
): Promise<readonly PromptEdit[]> {
  const edits: PromptEdit[] = [];
  for (const text of flagValues(flags, 'change')) {
    const edit = parseEdit(text);
    if (!edit.ok) throw new Failure('E_EDIT', edit.error);
    if (edit.value.edit === 'replace' && 'file' in edit.value.by) {
      const { file } = edit.value.by;
      const read = await bench.files.readText(file);
      if (!read.ok) throw new Failure(read.error.code, `${file} cannot be read`);
      texts.set(file, read.value);
    }
    edits.push(edit.value);
  }
  return edits;
}

/** The variant of a git revision: the same cases and targets on the project's texts of then. */
async function atRevision(bench: Bench, now: Variant, revision: string): Promise<Variant> {
  const { revisionSource } = await import('../git/source.js');
  return {
    ...now,
    target: `${now.target}@${revision}`,
    bench: benchOver(bench, await revisionSource(bench.folder, revision), { revision }),
  };
}

/** What differs, without what is confidential, and the files that it comes from. */
function diffOf(before: CaseRequest, after: CaseRequest, [old, now]: readonly [string, string]) {
  const side = ({ request: { prompt, tools, params } }: CaseRequest) => ({
    prompt,
    tools: tools as never,
    params,
  });
  const diff = compareMasked(side(before), side(after), { reveal: false });
  const paths = diff.origins.flatMap(({ origin }) => /^(?:file|value) (.+)$/su.exec(origin)?.[1] ?? []);
  const answer = { before: old, after: now, ...diff, reach: [] };
  return {
    diff: asJson({ origins: diff.origins, obligations: diff.obligations }),
    diffText: diffText(answer, {
      style: styleFor({ env: {}, terminal: { out: false, err: false } }, 'out'),
      isTerminal: false,
    }),
    whole: diff,
    paths: [...new Set(paths)],
  };
}

/** The variants between base and candidate, each with a part of the changes: files of the revision first, then edits. */
function partVariants(base: Variant, candidate: Variant, paths: readonly string[]) {
  const isRevision = base.bench !== candidate.bench;
  const files = isRevision
    ? paths.filter(
        (path) =>
          !candidate.edits.some((edit) => 'at' in edit && edit.at.kind === 'origin' && edit.at.ref === path),
      )
    : [];
  const origins = [...files, ...candidate.edits.map(printEdit)];
  const units = origins.length;
  const withUnits = (name: string, has: (unit: number) => boolean): Variant => ({
    name,
    target: `${base.target} with ${origins.filter((_, unit) => has(unit)).join(', ')}`,
    bench: isRevision
      ? benchOver(
          base.bench,
          overlaid(
            base.bench.project,
            candidate.bench.project,
            new Set(files.filter((_, unit) => has(unit))),
          ),
        )
      : base.bench,
    edits: candidate.edits.filter((_, at) => has(files.length + at)),
  });
  if (units > 3)
    return {
      origins,
      parts: origins.flatMap((_, unit) => [
        withUnits(`but-${unit}`, (each) => each !== unit),
        withUnits(`only-${unit}`, (each) => each === unit),
      ]),
    };
  const masks = Array.from({ length: Math.max(0, 2 ** units - 2) }, (_, at) => at + 1);
  return {
    origins,
    parts: masks.map((mask) => withUnits(maskName(mask, units), (unit) => ((mask >> unit) & 1) === 1)),
  };
}
