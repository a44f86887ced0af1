import { parse, resolve } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import { type Handler, isOn } from '../command.js';
import { Failure } from '../failure.js';
import { guard } from '../guard.js';
import { TEMPLATE } from '../init/template.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';
import { printJson } from '../output/json.js';
import { count, styleFor } from '../output/style.js';
import { requireFile } from '../project/named-file.js';

/** `cuebook init`: writes the template into a folder where none of its files is. All or nothing. */
export const run: Handler = async ({ args, flags, io }) => {
  const named = args[0] ?? '.';
  const folder = resolve(io.cwd, named);
  const files = await makeFolder(folder, named);
  const template = isOn(flags, 'workflow') ? WORKFLOW_TEMPLATE : TEMPLATE;
  const paths = Object.keys(template);
  const taken: string[] = [];
  for (const path of paths) if (requireFile(await files.exists(path), path)) taken.push(path);
  if (guard('init.overwrite', taken.length > 0)) {
    const list = taken.join(', ');
    throw new Failure('E_WOULD_OVERWRITE', `Nothing was written: ${list} would be overwritten`, { exit: 1 });
  }
  for (const [path, text] of Object.entries(template)) {
    requireFile(await files.writeText(path, text, { ifMatch: 'absent' }), path);
  }
  if (isOn(flags, 'json')) {
    await printJson(io, { created: paths });
    return 0;
  }
  const style = styleFor(io, 'out');
  for (const path of paths) await io.out(`${style.green('+')} ${path}\n`);
  const enter = folder === io.cwd ? '' : `  cd ${quote(named)}\n`;
  await io.out(
    `\nWrote ${count(paths.length, 'file')}. Try:\n${enter}${template === TEMPLATE ? TRY : TRY_WORKFLOW}`,
  );
  return 0;
};

const TRY = '  cuebook check\n  cuebook render sheet:review\n  cuebook explain sheet:review --at 3:1\n';
const TRY_WORKFLOW = '  cuebook check\n  cuebook render workflow:workflows/request\n';

/** Made through the whole disk, so that it gets the user's usual permissions and not those of a store. */
async function makeFolder(folder: string, named: string): Promise<Files> {
  const { root } = parse(folder);
  const disk = requireFile(await openFolder(root), named);
  if (folder !== root) requireFile(await disk.makeDirectory(folder.slice(root.length)), named);
  return requireFile(await openFolder(folder), named);
}

const quote = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
