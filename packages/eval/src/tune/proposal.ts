import { guard } from '@cuebook/guard';
import type { BlockInput, OfferedTool, Piece, Prompt } from '@cuebook/prompt';
import { diffPrompts, type Obligation } from '@cuebook/prompt/diff';

/** A composed target, as far as a proposal is held against it. */
export interface TuneSide {
  readonly prompt: Prompt;
  readonly blocks: readonly BlockInput[];
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly tokens: number;
}

export interface TuneRules {
  /** The files whose words may change. */
  readonly tunable: readonly string[];
  /** Obligations that may change, by their text. */
  readonly free?: readonly string[];
  readonly maxTokens?: number;
  /** The words of the cases that a tuner sees. */
  readonly cases: readonly string[];
}

export interface ProposalProblem {
  readonly code:
    | 'E_TUNE_SCOPE'
    | 'E_TUNE_OBLIGATION'
    | 'E_TUNE_INPUT'
    | 'E_TUNE_TOOL'
    | 'E_TUNE_TOKENS'
    | 'E_TUNE_COPY';
  readonly message: string;
}

/** Everything that speaks against a proposal before a single case is run. It is refused, never repaired. */
export function checkProposal(
  before: TuneSide,
  after: TuneSide,
  rules: TuneRules,
): readonly ProposalProblem[] {
  const { tunable, free = [], maxTokens, cases } = rules;
  const problems: ProposalProblem[] = [];
  const lost = missingInputs(before.blocks, after.blocks);
  if (guard('tune.input', lost.length > 0))
    problems.push({ code: 'E_TUNE_INPUT', message: `Inputs are gone: ${lost.join(', ')}` });
  if (guard('tune.scope', fixedWords(before, tunable) !== fixedWords(after, tunable)))
    problems.push({ code: 'E_TUNE_SCOPE', message: `Words outside ${tunable.join(', ')} differ` });
  const { obligations } = diffPrompts(before, after);
  const dropped = obligations.dropped.filter(
    ({ force, text }: Obligation) => force !== 'SHOULD' && !free.includes(text),
  );
  if (guard('tune.obligation', dropped.length > 0))
    problems.push({
      code: 'E_TUNE_OBLIGATION',
      message: `Dropped: ${dropped.map(({ force, text }: Obligation) => `${force} ${text}`).join('; ')}`,
    });
  if (guard('tune.tool', beside(before) !== beside(after)))
    problems.push({ code: 'E_TUNE_TOOL', message: 'Tools or parameters differ' });
  if (guard('tune.tokens', maxTokens !== undefined && after.tokens > maxTokens))
    problems.push({ code: 'E_TUNE_TOKENS', message: `${after.tokens} tokens, and ${maxTokens} are allowed` });
  const copied = copiedWords(before.prompt.text, tunedWords(after, tunable), cases);
  if (guard('tune.copy', copied.length > 0))
    problems.push({ code: 'E_TUNE_COPY', message: `From cases: ${copied.slice(0, 3).join('; ')}` });
  return problems;
}

const isTunable = ({ origin }: Piece, tunable: readonly string[]): boolean =>
  (origin.kind === 'file' || origin.kind === 'value') && tunable.includes(origin.ref);

/** Every byte that must stay, with the block and role that it stands in. */
const fixedWords = ({ blocks }: TuneSide, tunable: readonly string[]): string =>
  JSON.stringify(
    blocks.map(({ name, role, pieces }) => [
      name,
      role,
      pieces
        .filter((piece) => !isTunable(piece, tunable))
        .map(({ text }) => text)
        .join(''),
    ]),
  );

const tunedWords = ({ blocks }: TuneSide, tunable: readonly string[]): string =>
  blocks
    .flatMap(({ pieces }) => pieces.filter((piece) => isTunable(piece, tunable)).map(({ text }) => text))
    .join('\n');

/** What is handed in, by name: each must be there as often as before. */
function missingInputs(before: readonly BlockInput[], after: readonly BlockInput[]): readonly string[] {
  const names = (blocks: readonly BlockInput[]): readonly string[] =>
    blocks.flatMap(({ pieces }) =>
      pieces.flatMap(({ origin: { kind, ref } }) => (kind === 'input' || kind === 'variable' ? [ref] : [])),
    );
  const left = [...names(after)];
  return names(before).filter((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

const beside = ({ tools, params }: TuneSide): string => JSON.stringify([tools, params]);

/** Runs of words, names and numbers of cases that are new in the proposal. */
function copiedWords(before: string, proposed: string, cases: readonly string[]): readonly string[] {
  const known = new Set([...runsOf(before), ...marksOf(before)]);
  const ofCases = new Set(cases.flatMap((text) => [...runsOf(text), ...marksOf(text)]));
  return [...new Set([...runsOf(proposed), ...marksOf(proposed)])].filter(
    (each) => ofCases.has(each) && !known.has(each),
  );
}

const RUN = 8;

function runsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}

/** Names and numbers of four letters or more: capitalised inside a sentence, or with a digit. */
const marksOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![.!?:\n]\s{0,4})(?<=\s|["'(`])[\p{L}\p{N}_-]{4,}/gu)]
    .map(([word]) => word)
    .filter((word) => /\p{N}/u.test(word) || /^\p{Lu}\p{L}*$/u.test(word));
