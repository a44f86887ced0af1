/** What a project with one sheet is made of. */
export interface SheetProject {
  readonly sheet: string;
  /** The one input, which a stranger writes. */
  readonly input: string;
  /** The rules of the sheet, in a text of their own. */
  readonly tone: string;
  readonly cases: number;
  /** The lines of the eval file after its target and its cases. */
  readonly measured: string;
}

/** The files of a project with one sheet, its rules in `texts/tone.md`, an eval file and cases that set its input. */
export function sheetProject(of: SheetProject): Readonly<Record<string, string>> {
  const { sheet, input, tone, cases, measured } = of;
  return {
    [`sheets/${sheet}.yaml`]: `title: Read a ${input}
inputs:
  ${input}: { trust: external, secrecy: public, volatility: turn, description: What is read, example: a ${input} }
blocks:
  - { name: rules, role: system, parts: [{ include: tone }] }
  - { name: ${input}, role: user, parts: [{ input: ${input} }] }
`,
    'texts/tone.md': tone,
    [`tests/${sheet}.test.yaml`]: evalFile(sheet, measured),
    [`data/${sheet}.jsonl`]: Array.from({ length: cases }, (_, at) =>
      JSON.stringify({ id: `c${at}`, with: { set: { [input]: `${input} ${at}.` } } }),
    ).join('\n'),
  };
}

/** An eval file that measures a sheet over its cases. */
export const evalFile = (sheet: string, measured: string): string =>
  `target: sheet:${sheet}\ncases: data/${sheet}.jsonl\n${measured}`;
