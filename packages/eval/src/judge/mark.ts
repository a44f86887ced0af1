/** A person's score of a take, given blind: one line of `marks/JUDGE.jsonl`. */
export interface Mark {
  /** The take as the record names it: `RUN@TURN`. */
  readonly take: string;
  readonly case: string;
  /** Kept for the statistics; whoever marks is not shown it. */
  readonly variant: string;
  readonly pass: boolean;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly judge: string;
  /** The judge whose question was answered. Once its words or its model change, the mark no longer counts. */
  readonly judgeHash: string;
}

/** The marks of a file, and the lines that are none. */
export function readMarks(text: string): {
  readonly marks: readonly Mark[];
  readonly bad: readonly number[];
} {
  const marks: Mark[] = [];
  const bad: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const mark = markIn(line);
    if (mark === undefined) bad.push(index + 1);
    else marks.push(mark);
  }
  return { marks, bad };
}

const TEXTS = ['take', 'case', 'variant', 'by', 'at', 'judge', 'judgeHash'] as const;

function markIn(line: string): Mark | undefined {
  try {
    const value = JSON.parse(line) as Mark | null;
    if (typeof value !== 'object' || value === null || typeof value.pass !== 'boolean') return undefined;
    return TEXTS.every((key) => typeof value[key] === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The line of a mark: append it to the file. */
export const printMark = ({ take, case: of, variant, pass, by, at, judge, judgeHash }: Mark): string =>
  `${JSON.stringify({ take, case: of, variant, pass, by, at, judge, judgeHash })}\n`;

/** The marks that count for a judge as it is now: its own, of its words, the last one of each person and take. */
export function validMarks(
  marks: readonly Mark[],
  { judge, judgeHash }: Pick<Mark, 'judge' | 'judgeHash'>,
): { readonly valid: readonly Mark[]; readonly void: number } {
  const own = marks.filter((mark) => mark.judge === judge);
  const last = new Map<string, Mark>();
  let others = 0;
  for (const mark of own) {
    if (mark.judgeHash === judgeHash) last.set(JSON.stringify([mark.take, mark.by]), mark);
    else others += 1;
  }
  return { valid: [...last.values()], void: others };
}
