import type { ComparisonDocument, EvalDocument } from '@cuebook/eval';
import { comparisonMarkdown } from '@cuebook/eval';
import type { Diagnostic } from '@cuebook/prompt';
import { type Call, flagValue } from '../command.js';
import { changeMarkdown } from '../output/change-markdown.js';
import { toSarif } from '../output/sarif.js';
import type { ProjectDiff } from '../project/project-diff.js';
import { xml } from '../prompt-test/report/junit.js';
import { replaceNamedFile } from '../record/named-output.js';
import type { EvalAbout } from './about.js';

/** Writes the files that a call asks for: Markdown, SARIF, JUnit. */
export async function writeOutputs(
  { flags, io }: Call,
  document: ComparisonDocument | EvalDocument,
  { folder, about }: { readonly folder: string; readonly about: EvalAbout },
): Promise<void> {
  const write = (file: string | undefined, text: () => string | Promise<string>): Promise<void> =>
    file === undefined
      ? Promise.resolve()
      : Promise.resolve(text()).then((told) => replaceNamedFile(io, file, new TextEncoder().encode(told)));
  await write(flagValue(flags, 'junit'), () => junitOf(document));
  if (!('verdict' in document)) return;
  await write(flagValue(flags, 'md'), () => comparisonMarkdown(document, changeText(document, about)));
  await write(
    flagValue(flags, 'sarif'),
    async () => `${JSON.stringify(await toSarif(sarifOf(document, about), folder), null, 2)}\n`,
  );
}

const changeText = (document: ComparisonDocument, { change }: EvalAbout): string =>
  change === undefined ? '' : changeMarkdown(change, { shares: sharesOf(document, change) });

/** Findings on the lines of prompts: changes whose share was found, and else, where it is worse, all that changed. */
function sarifOf(document: ComparisonDocument, { change }: EvalAbout): readonly Diagnostic[] {
  const { attribution, verdict, why, metrics } = document;
  const name = metrics.find(({ role }) => role === 'primary')?.name ?? '';
  const finding = (
    message: string,
    place: { readonly file?: string; readonly line?: number },
  ): Diagnostic => ({
    ...{ code: 'W_COMPARE_SHARE', severity: 'warning', message },
    ...(place.file === undefined ? {} : { file: place.file, line: place.line ?? 1 }),
  });
  const found = attribution
    .filter((each) => each.found)
    .map((each) => finding(`${name} ${shareText(each)}`, placeOf(each.origin, change)));
  if (found.length > 0 || verdict !== 'worse') return found;
  const message = `${verdict}: ${why}`;
  const places = (change?.origins ?? []).filter(({ file }) => file !== undefined).slice(0, MOST_PLACES);
  return places.length === 0 ? [finding(message, {})] : places.map((place) => finding(message, place));
}

const MOST_PLACES = 20;

/** The line of a change: that of the file that it names, or of the words that it takes out. */
function placeOf(
  origin: string,
  change: ProjectDiff | undefined,
): { readonly file?: string; readonly line?: number } {
  const origins = (change?.origins ?? []).filter(({ file }) => file !== undefined);
  const named = origins.find(({ file }) => file === origin);
  if (named !== undefined) return named;
  const [, file, line] = /^(?:drop|replace|neutral):(.+?)(?::(\d+)(?:-\d+)?)?(?:=.*)?$/su.exec(origin) ?? [];
  const edited = origins.find((each) => each.file === file);
  if (edited !== undefined) return { ...edited, ...(line === undefined ? {} : { line: Number(line) }) };
  const words = /^\w+:obligation:"(.*)"$/su.exec(origin)?.[1] ?? '';
  return (
    origins.find(({ removedLines }) => words !== '' && removedLines.some((each) => each.includes(words))) ??
    (origins.length === 1 ? origins[0] : undefined) ??
    {}
  );
}

/** What was measured of a change, by its file. */
function sharesOf({ attribution, metrics }: ComparisonDocument, change: ProjectDiff): Map<string, string> {
  const name = metrics.find(({ role }) => role === 'primary')?.name ?? '';
  return new Map(
    attribution.flatMap((each) => {
      const { file } = placeOf(each.origin, change);
      const told = `${name} ${shareText(each)}${each.found ? '' : ', not told from zero'}`;
      return file === undefined ? [] : [[file, told] as const];
    }),
  );
}

const shareText = ({ share, interval }: ComparisonDocument['attribution'][number]): string =>
  `${share > 0 ? '+' : ''}${share.toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`;

/** A test case for each metric: a comparison fails where it is worse, an eval never. */
function junitOf(document: ComparisonDocument | EvalDocument): string {
  const rows =
    'verdict' in document
      ? document.metrics.map(({ name, verdict, why }) =>
          verdict === 'worse'
            ? `  <testcase classname="compare" name="${xml(name)}"><failure message="${xml(why)}" type="worse"/></testcase>\n`
            : verdict === 'open'
              ? `  <testcase classname="compare" name="${xml(name)}"><skipped message="${xml(why)}"/></testcase>\n`
              : `  <testcase classname="compare" name="${xml(name)}"/>\n`,
        )
      : document.metrics.map(({ name }) => `  <testcase classname="eval" name="${xml(name)}"/>\n`);
  const failures = rows.filter((row) => row.includes('<failure')).length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="cuebook" tests="${rows.length}" failures="${failures}">\n<testsuite name="${xml(document.id)}" tests="${rows.length}" failures="${failures}">\n${rows.join('')}</testsuite>\n</testsuites>\n`;
}
