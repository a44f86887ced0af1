import { commandLine } from '@cuebook/prompt/hint';
import { type Call, isOn } from '../command.js';
import { typed } from '../hint/typed.js';
import { lineDiff } from '../import/line-diff.js';
import { problemLine, type ShownDiagnostic } from '../output/diagnostics.js';
import { printJson } from '../output/json.js';
import { count, styleFor } from '../output/style.js';
import type { PlannedExport } from './plan.js';

/** How an export went. */
export interface ExportOutcome {
  readonly planned: readonly PlannedExport[];
  readonly found: readonly ShownDiagnostic[];
  readonly isWritten: boolean;
  /** Where replaced texts are kept. */
  readonly kept: readonly string[];
  readonly folder: string;
}

export async function printOutcome(
  { flags, io }: Call,
  { planned, found, isWritten, kept, folder }: ExportOutcome,
): Promise<void> {
  const ok = !found.some(({ severity }) => severity === 'error');
  if (isOn(flags, 'sarif')) {
    const { toSarif } = await import('../output/sarif.js');
    return printJson(io, await toSarif(found, folder));
  }
  if (isOn(flags, 'json')) {
    const rows = planned.map(({ path, target, format, state, isEdited, isSourceChanged }) => ({
      path,
      target,
      format,
      state,
      isEdited,
      isSourceChanged,
    }));
    return printJson(io, { ok, written: isWritten, files: rows, kept, diagnostics: found });
  }
  const style = styleFor(io, 'out');
  for (const { path, state, target, isEdited, isSource, before = '', text = '' } of planned) {
    await io.out(`${style.dim(MARKS[state])} ${path}  ${style.dim(target)}\n`);
    // A person decides whose words stay: both are shown.
    if (isSource || (isEdited && !isWritten))
      for (const line of lineDiff(before, text)) await io.out(`    ${line}\n`);
  }
  for (const diagnostic of found) await io.out(problemLine(io, 'out', diagnostic));
  for (const path of kept) await io.out(`What was replaced is kept in ${path}\n`);
  // Several targets may have a region of one file.
  const paths = new Set(planned.map(({ path }) => path));
  const changed = new Set(planned.flatMap(({ state, path }) => (state === 'same' ? [] : [path]))).size;
  const words = isWritten
    ? `${count(changed, 'file')} written`
    : ok
      ? `Everything is up to date (${count(paths.size, 'file')})`
      : 'Nothing was written';
  const next = isWritten ? `Next:\n  ${typed(io, commandLine`export --check`)}\n` : '';
  const same = paths.size - changed;
  const rest = same > 0 && !(ok && !isWritten) ? `, ${count(same, 'file')} already up to date` : '';
  await io.out(`${ok ? style.green('✓') : style.red('✗')} ${words}${rest}\n${next}`);
}

const MARKS = { new: '+', same: '=', changed: '~', gone: '+', remove: '-' } as const;
