import { type AdoptDiagnostic, type ImportDraft, isLoss } from '@cuebook/adopt';
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
  readonly sheets: ImportDraft['sheets'];
  /** The command line of this import with more flags. */
  readonly again: (flags: string) => string;
  /** Flags that give the answers that a person gave. */
  readonly asked: string;
  /** Flags with which this import would know who can write the inputs. */
  readonly wanted: string;
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
      sheets: report.sheets.map(({ name }) => name),
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
  const { planned, isWritten, diagnostics, wanted } = report;
  const style = styleFor(io, 'out');
  const changed = planned.filter(({ state }) => state !== 'same').length;
  // A file that is in the way loses nothing: it is the reason why nothing was written.
  const isInTheWay = diagnostics.some(({ code }) => code === 'E_IMPORT_EXISTS');
  const lost = diagnostics.filter((each) => isLoss(each) && each.code !== 'E_IMPORT_EXISTS').length;
  const isOpen = diagnostics.some(({ code }) => code === 'E_IMPORT_TRUST');
  const words = isWritten
    ? `${count(changed, 'file')} written`
    : isOpen
      ? 'Nothing was written, because it is not known who can write the inputs'
      : `Nothing was written; ${count(changed, 'file')} would be`;
  const same = planned.length - changed;
  const already = same === 0 ? '' : `, ${count(same, 'file')} already there`;
  const told = lost === 0 || isOpen ? '' : `; ${count(lost, 'thing')} not kept`;
  const mark = exitOfImport(report) === 0 ? style.green('✓') : style.red('✗');
  const instead = [
    ...(wanted === '' ? [] : [report.again(wanted)]),
    ...(isInTheWay ? [`${report.again(' --update')}   writes the new content`] : []),
  ];
  const next = isWritten ? nextLines(io, report) : instead;
  const lines = next.map((line) => `  ${line}\n`).join('');
  return `${mark} ${words}${already}${told}\n${next.length === 0 ? '' : `Next:\n${lines}`}`;
}

function nextLines(io: Io, { sheets, asked, again }: ImportReport): readonly string[] {
  const [first] = sheets;
  if (first === undefined) return [];
  const labelled = sheets.flatMap(({ name, meta }) =>
    Array.isArray(meta.labels) ? meta.labels.map((label) => ({ name, label })) : [],
  );
  const label = labelled.find((each) => each.label === 'production');
  return [
    typed(io, commandLine`check`),
    typed(io, commandLine`render sheet:${first.name}`),
    ...(label === undefined
      ? []
      : [
          `${typed(io, commandLine`label set production sheet:${label.name}`)}   after a commit: the label of the source`,
        ]),
    ...(asked === '' ? [] : [`${again(asked)}   the same without questions`]),
  ];
}
