import type { AnsweredCall, EditOptions } from '@cuebook/eval';
import type { JsonValue } from '@cuebook/prompt';
import type { Call } from '../command.js';
import type { ProjectDiff } from '../project/project-diff.js';
import type { TestCase } from '../prompt-test/case-file.js';
import type { EvalAbout } from './about.js';
import type { PlannedCase } from './design.js';
import type { CaseRequest, ComposeOptions, Variant } from './variant.js';

/** A comparison before anybody is asked: what would be told, and what the record keeps of it. */
export interface PreparedEval {
  readonly cases: readonly PlannedCase[];
  readonly about: Omit<EvalAbout, 'earlier'>;
  /** The numbers of cases at each planned look. */
  readonly looks: readonly number[];
  /** The call with who answers. Left out: as it was made. */
  readonly call?: Call;
  /** By case, the calls on record that a followed agent may make. */
  readonly answers?: ReadonlyMap<string, readonly AnsweredCall[]>;
}

export interface VariantsInput {
  readonly what: EvalAbout['what'];
  readonly tests: readonly TestCase[];
  readonly options: EditOptions & { readonly texts: Map<string, string> };
  readonly desk: ComposeOptions['desk'];
  readonly recorded: ComposeOptions['recorded'];
}

export interface OpenedVariants {
  readonly variants: readonly Pick<Variant, 'name' | 'target' | 'edits'>[];
  readonly origins: readonly string[];
  /** By case, then by variant. */
  readonly composed: readonly (readonly CaseRequest[])[];
  readonly diff: { readonly diff: JsonValue; readonly diffText: string };
  readonly change?: ProjectDiff;
  readonly ablation?: EvalAbout['ablation'];
  /** The names of each case's own variants, where cases differ in them. */
  readonly own?: readonly (readonly string[])[];
  /** The requests of the prompt as it is, where `composed` does not begin with them. */
  readonly whole?: readonly (readonly CaseRequest[])[];
}

/** Of what is not compared with anything. */
export const NO_DIFF = { diff: null, diffText: '' };
