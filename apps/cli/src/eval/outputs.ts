import type { ComparisonDocument, EvalDocument } from '@cuebook/eval';
import { comparisonMarkdown } from '@cuebook/eval';
import type { Diagnostic } from '@cuebook/prompt';
import { type Call, flagValue } from '../command.js';
import { toSarif } from '../output/sarif.js';
import { xml } from '../prompt-test/report/junit.js';
import { replaceNamedFile } from '../record/named-output.js';

/** Writes the files that a call asks for: Markdown, SARIF, JUnit. */
export async function writeOutputs(
  { flags, io }: Call,
  document: ComparisonDocument | EvalDocument,
  { folder, diffText }: { readonly folder: string; readonly diffText: string },
): Promise<void> {
  const write = (file: string | undefined, text: () => string | Promise<string>): Promise<void> =>
    file === undefined
      ? Promise.resolve()
      : Promise.resolve(text()).then((told) => replaceNamedFile(io, file, new TextEncoder().encode(told)));
  await write(flagValue(flags, 'junit'), () => junitOf(document));
  if (!('verdict' in document)) return;
  await write(flagValue(flags, 'md'), () => comparisonMarkdown(document, diffText));
  await write(
    flagValue(flags, 'sarif'),
    async () => `${JSON.stringify(await toSarif(sarifOf(document), folder), null, 2)}\n`,
  );
}

/** Findings on the lines of prompts: origins whose share was found, and else the verdict. */
function sarifOf({ attribution, verdict, why, metrics }: ComparisonDocument): readonly Diagnostic[] {
  const name = metrics.find(({ role }) => role === 'primary')?.name ?? '';
  const found = attribution
    .filter((each) => each.found)
    .map(({ origin, share, interval }): Diagnostic => {
      const [, file = origin, line] =
        /^(?:(?:drop|replace|neutral):)?(.+?)(?::(\d+)(?:-\d+)?)?(?:=.*)?$/su.exec(origin) ?? [];
      return {
        code: 'W_COMPARE_SHARE',
        severity: 'warning',
        message: `${name} ${share > 0 ? '+' : ''}${share.toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`,
        file,
        line: Number(line ?? 1),
      };
    });
  if (found.length > 0 || verdict !== 'worse') return found;
  return [{ code: 'W_COMPARE_SHARE', severity: 'warning', message: `${verdict}: ${why}` }];
}

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
