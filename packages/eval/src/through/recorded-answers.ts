import { type BlockInput, escapedPieces, type JsonValue, type Piece } from '@cuebook/prompt';

/** A call that a model makes. */
export interface TakenCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}

/** A call on record, and the block that answered it. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: JsonValue;
  readonly answer: BlockInput;
}

/**
 * The calls that a run made behind a turn, with their answers, up to the next word of somebody else. `later` are the requests of
 * the turns that followed, in order: each tells the model what it was answered.
 */
export function answeredCalls(
  turn: readonly BlockInput[],
  later: readonly (readonly BlockInput[])[],
): readonly AnsweredCall[] {
  const known = new Set(turn.flatMap(({ callId }) => callId ?? []));
  const people = peopleIn(turn);
  const answered: AnsweredCall[] = [];
  for (const blocks of later) {
    if (peopleIn(blocks) > people) break;
    const made = new Map(blocks.flatMap(({ calls = [] }) => calls).map((call) => [call.id, call]));
    for (const block of blocks) {
      const call = block.callId === undefined ? undefined : made.get(block.callId);
      if (call === undefined || known.has(call.id)) continue;
      known.add(call.id);
      answered.push({ name: call.name, input: call.args, answer: block });
    }
  }
  return answered;
}

const peopleIn = (blocks: readonly BlockInput[]): number =>
  blocks.filter(({ role }) => role === 'user').length;

/**
 * What the record answers to the calls of a take: each by its name, its arguments and how often the take made it before. Undefined:
 * a call is not on record, and nothing else may answer it.
 */
export function answersTo(
  record: readonly AnsweredCall[],
  before: readonly Pick<TakenCall, 'name' | 'input'>[],
  calls: readonly TakenCall[],
): readonly BlockInput[] | undefined {
  const seen = new Map<string, number>();
  const next = (call: Pick<TakenCall, 'name' | 'input'>): BlockInput | undefined => {
    const key = keyOf(call);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return record.filter((each) => keyOf(each) === key)[count]?.answer;
  };
  for (const call of before) next(call);
  const answers: BlockInput[] = [];
  for (const call of calls) {
    const answer = next(call);
    if (answer === undefined) return undefined;
    answers.push({ ...answer, callId: call.id });
  }
  return answers;
}

/** The request after an answer: what was told, the answer, and what its calls are answered. */
export function followedBlocks(
  told: readonly BlockInput[],
  said: { readonly text: string; readonly calls: readonly TakenCall[] },
  answers: readonly BlockInput[],
): readonly BlockInput[] {
  const step = told.filter(({ role }) => role === 'assistant').length + 1;
  const name = `answer-${step}`;
  const piece: Piece = {
    text: said.text,
    origin: { kind: 'result', ref: name },
    ...{ trust: 'agent', secrecy: 'public', volatility: 'turn' },
  };
  return [
    ...told,
    {
      name,
      role: 'assistant',
      pieces: said.text === '' ? [] : escapedPieces([piece]),
      calls: said.calls.map(({ id, name: of, input }) => ({ id, name: of, args: input })),
    },
    ...answers.map((answer, at) => ({ ...answer, name: `${name}-result-${at + 1}` })),
  ];
}

const keyOf = ({ name, input }: Pick<TakenCall, 'name' | 'input'>): string =>
  JSON.stringify([name, sorted(input)]);

/** The same value with the keys of objects in one order. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each as JsonValue)]),
  );
}
