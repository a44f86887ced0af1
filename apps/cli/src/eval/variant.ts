import { applyEdits, type EditOptions, type PromptEdit } from '@cuebook/eval';
import type { TextSource } from '@cuebook/files';
import type { KeptRequest } from '@cuebook/host';
import { composeRequest, describeRefusal, type GatedRequest } from '@cuebook/prompt';
import { Failure } from '../failure.js';
import type { Bench } from '../project/bench.js';
import type { TestCase } from '../prompt-test/case-file.js';
import { type CaseBench, composeCase } from '../prompt-test/compose-case.js';
import type { ToldRequest } from './turns.js';

/** A way to make the request of a case: a target on a source of texts, and edits. */
export interface Variant {
  readonly name: string;
  /** As people name it: `sheet:review@main`. */
  readonly target: string;
  /** The project as this variant has it. */
  readonly bench: Bench;
  readonly edits: readonly PromptEdit[];
}

/** The request of one case under one variant. */
export interface CaseRequest {
  readonly kept: KeptRequest;
  readonly request: GatedRequest;
  /** How many places each edit has changed. */
  readonly matched: readonly number[];
}

export interface ComposeOptions {
  readonly desk: CaseBench;
  readonly options: EditOptions;
  /** Requests of turns on record, by their names: these are not composed from sources. */
  readonly recorded: ReadonlyMap<string, ToldRequest>;
}

/** Composes a case under a variant. The gates judge the result of the edits like any other prompt. */
export async function composeVariant(
  { bench, edits }: Variant,
  test: TestCase,
  { desk, options, recorded }: ComposeOptions,
): Promise<CaseRequest> {
  return editedRequest(
    bench,
    recorded.get(test.name) ?? (await composedOf(bench, test, desk)),
    edits,
    options,
  );
}

/** A composed request with edits: gated like any other. */
export function editedRequest(
  { hash, redactor }: Pick<Bench, 'hash' | 'redactor'>,
  { blocks, tools, params, prompt, request }: ToldRequest,
  edits: readonly PromptEdit[],
  options: EditOptions,
): CaseRequest {
  if (edits.length === 0) return { kept: { blocks, tools, params, hash: prompt.hash }, request, matched: [] };
  const edited = applyEdits({ blocks, tools, params }, edits, options);
  if (!edited.ok) throw new Failure(edited.error.code, edited.error.message, { exit: 1 });
  const { matched, ...changed } = edited.value;
  const gated = composeRequest({ ...changed, hash, redactor });
  if (!gated.ok) {
    const [first] = gated.error;
    throw new Failure(first?.code ?? 'E_EDIT', first === undefined ? 'Refused' : describeRefusal(first), {
      exit: 1,
    });
  }
  return { kept: { ...changed, hash: gated.value.prompt.hash }, request: gated.value, matched };
}

async function composedOf(bench: Bench, test: TestCase, desk: CaseBench): Promise<ToldRequest> {
  const composed = await composeCase(
    { ...desk, benchFor: async (target) => ({ bench, text: target }) },
    test,
  );
  if (!composed.ok) {
    const first =
      composed.diagnostics.find(({ severity }) => severity === 'error') ?? composed.diagnostics[0];
    throw new Failure(
      first?.code ?? 'E_INPUT',
      `Case "${test.name}": ${first?.message ?? 'it cannot be composed'}`,
      {
        exit: 1,
      },
    );
  }
  return composed.value;
}

/** The texts of one source, with some files as another has them. */
export function overlaid(base: TextSource, over: TextSource, paths: ReadonlySet<string>): TextSource {
  const of = (path: string): TextSource => {
    const clean = base.clean(path);
    return paths.has(clean.ok ? clean.value : path) ? over : base;
  };
  return {
    ...base,
    readText: (path, ...rest) => of(path).readText(path, ...rest),
    readBytes: (path, ...rest) => of(path).readBytes(path, ...rest),
  };
}
