import type { TextProposal } from '@cuebook/eval';
import { memorySource } from '@cuebook/files';
import { isBelow } from '@cuebook/prompt';
import { Failure } from '../../failure.js';
import { type Bench, benchOver } from '../../project/bench.js';
import type { TestCase } from '../../prompt-test/case-file.js';
import { type CaseRequest, composeVariant, overlaid } from '../variant.js';
import type { TuneSetting } from './file.js';

/** Composes cases, with the text of a proposal where there is one. */
export type Compose = (
  tests: readonly TestCase[],
  proposal?: TextProposal,
) => Promise<readonly CaseRequest[]>;

/** Composes cases with the text of a proposal in the place of its file; nothing on the disk changes. */
export const composer =
  (bench: Bench, desk: Parameters<typeof composeVariant>[2]['desk']): Compose =>
  async (tests, proposal) => {
    const over = proposal === undefined ? undefined : memorySource({ [proposal.file]: proposal.text });
    if (over?.ok === false)
      throw new Failure(over.error.code, `${proposal?.file} cannot be proposed`, { exit: 1 });
    const on =
      over === undefined || proposal === undefined
        ? bench
        : benchOver(bench, overlaid(bench.project, over.value, new Set([proposal.file])));
    const variant = { name: 'base', target: '', bench: on, edits: [] };
    const all: CaseRequest[] = [];
    for (const test of tests)
      all.push(
        await composeVariant(variant, test, {
          desk,
          recorded: new Map(),
          options: {
            words: () => {
              throw new TypeError('a proposal is no edit');
            },
          },
        }),
      );
    return all;
  };

export const caseOf = (test: TestCase, requests: readonly CaseRequest[]) => ({
  id: test.name,
  requests,
  test,
});

/** What a case hands in. */
export const wordsOf = (request: CaseRequest | undefined): string =>
  (request?.kept.blocks ?? [])
    .flatMap(({ pieces }) => pieces.filter(({ trust }) => isBelow(trust, 'operator')).map(({ text }) => text))
    .join('\n');

/** What a search needs. */
export interface TuneInput {
  readonly setting: TuneSetting;
  readonly work: readonly TestCase[];
  readonly held: readonly TestCase[];
  readonly compose: Compose;
}
