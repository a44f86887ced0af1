import { type AdoptDiagnostic, isLoss } from '@cuebook/adopt';
import { commandLine } from '@cuebook/prompt/hint';
import { typed } from '../hint/typed.js';
import type { Io } from '../io.js';
import { problemLine } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { count, styleFor } from '../output/style.js';
import type { PlannedFile } from './write.js';

export interface ImportReport {
  readonly planned: readonly PlannedFile[];
  readonly diagnostics: readonly AdoptDiagnostic[];
  readonly isWritten: boolean;
  readonly sheets: readonly string[];
  readonly accepted: ReadonlySet<string>;
}

/** 0 when the whole meaning came over, 1 when something was lost or refused, 2 when only the call lacks something. */
export function exitOfImport({ diagnostics, accepted }: ImportReport): number {
  const lost = diagnostics.filter((each) => isLoss(each) && !accepted.has(each.code));
  if (lost.length === 0) return 0;
  return lost.every(({ code }) => code === 'E_IMPORT_TRUST' || code === 'E_IMPORT_SELECT') ? 2 : 1;
}

export async function printReport(
  io: Io,
  report: ImportReport,
  { json, sarif, folder }: { readonly json: boolean; readonly sarif: boolean; readonly folder: string },
): Promise<void> {
  const { planned, diagnostics, isWritten } = report;
  if (sarif) {
    const { toSarif } = await import('../output/sarif.js');
    return printJson(io, await toSarif(diagnostics, folder));
  }
  const of = (state: PlannedFile['state']) => planned.filter((file) => file.state === state);
  if (json) {
    return printJson(io, {
      ok: exitOfImport(report) === 0,
      written: isWritten ? [...of('new'), ...of('differs')].map(({ path }) => path).sort() : [],
      files: planned.map(({ path, state, diff, text }) => ({
        path,
        state,
        ...(diff.length === 0 ? {} : { diff }),
        text,
      })),
      sheets: report.sheets,
      diagnostics,
    });
  }
  const style = styleFor(io, 'out');
  for (const { path, state, diff } of planned) {
    if (state === 'same') continue;
    await io.out(`${state === 'new' ? style.green('+') : style.yellow('~')} ${path}\n`);
    for (const line of diff) await io.out(`    ${line}\n`);
  }
  for (const diagnostic of diagnostics) await io.out(problemLine(io, 'out', diagnostic));
  await io.out(summary(io, report));
}

function summary(io: Io, report: ImportReport): string {
  const { planned, isWritten, sheets, diagnostics } = report;
  const style = styleFor(io, 'out');
  const changed = planned.filter(({ state }) => state !== 'same').length;
  const lost = diagnostics.filter(isLoss).length;
  const words = isWritten
    ? `${count(changed, 'file')} written`
    : `Nothing was written; ${count(changed, 'file')} would be`;
  const same = planned.length - changed;
  const already = same === 0 ? '' : `, ${count(same, 'file')} already there`;
  const told = lost === 0 ? '' : `; ${count(lost, 'thing')} not kept`;
  const mark = exitOfImport(report) === 0 ? style.green('✓') : style.red('✗');
  const [first] = sheets;
  const next =
    !isWritten || first === undefined
      ? ''
      : `Next:\n  ${typed(io, commandLine`check`)}\n  ${typed(io, commandLine`render sheet:${first}`)}\n`;
  return `${mark} ${words}${already}${told}\n${next}`;
}
