import { parse, resolve } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import { commandLine, PROGRAM, shellWord } from '@cuebook/prompt/hint';
import { type CommandHandler, isOn } from '../command.js';
import { typed } from '../hint/typed.js';
import { addFiles, IGNORE_FILE } from '../init/add.js';
import { TEMPLATE } from '../init/template.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';
import { printJson } from '../output/json.js';
import { count, styleFor } from '../output/style.js';
import { requireFile } from '../project/named-file.js';

/** `cuebook init`: adds the template to a folder, and leaves what is there as it is. */
export const run: CommandHandler = async ({ args, flags, io }) => {
  const named = args[0] ?? '.';
  const folder = resolve(io.cwd, named);
  const files = await makeFolder(folder, named);
  const isWorkflow = isOn(flags, 'workflow');
  const template = await withModulesIgnored(files, isWorkflow ? WORKFLOW_TEMPLATE : TEMPLATE);
  const added = await addFiles(files, template);
  if (isOn(flags, 'json')) {
    await printJson(io, added);
    return 0;
  }
  const { created, extended, same, kept } = added;
  const style = styleFor(io, 'out');
  for (const path of created) await io.out(`${style.green('+')} ${path}\n`);
  for (const path of extended)
    await io.out(`${style.green('+')} ${path}  ${style.dim('lines were added')}\n`);
  for (const path of kept) await io.out(`${style.yellow('=')} ${path}  ${style.dim(KEPT)}\n`);
  if (kept.includes(IGNORE_FILE))
    await io.out(`Let git ignore the folder .cuebook/: it holds the records of this machine.\n`);
  const wrote = created.length + extended.length;
  const left = same.length === 0 ? '' : `; ${count(same.length, 'file')} ${IS_THERE(same.length)} already`;
  // Only a command that is found by its name alone is found from the other folder, too.
  const isElsewhere = folder !== io.cwd;
  const isEntered = isElsewhere && io.typing.program === PROGRAM;
  const from = { typing: { ...io.typing, project: isElsewhere && !isEntered ? named : undefined } };
  const lines = (isWorkflow ? TRY_WORKFLOW : TRY).map((line) => `  ${typed(from, line)}\n`);
  const enter = isEntered ? `  cd ${shellWord(named)}\n` : '';
  await io.out(
    `\n${wrote === 0 ? 'Nothing to write' : `Wrote ${count(wrote, 'file')}`}${left}. Try:\n${enter}${lines.join('')}`,
  );
  return 0;
};

const KEPT = 'is there already, and stays as it is';
const IS_THERE = (files: number): string => (files === 1 ? 'was there' : 'were there');

const TRY = [
  commandLine`check`,
  commandLine`render sheet:review`,
  commandLine`explain sheet:review --at 3:1`,
];
const TRY_WORKFLOW = [commandLine`check`, commandLine`render workflow:workflows/request`];

/** Made through the whole disk, so that it gets the user's usual permissions and not those of a store. */
async function makeFolder(folder: string, named: string): Promise<Files> {
  const { root } = parse(folder);
  const disk = requireFile(await openFolder(root), named);
  if (folder !== root) requireFile(await disk.makeDirectory(folder.slice(root.length)), named);
  return requireFile(await openFolder(folder), named);
}

/** In a folder with packages and no ignore file, the new one names them too: nobody commits them. */
async function withModulesIgnored(
  files: Files,
  template: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const [modules, ignore] = await Promise.all([files.stat('node_modules'), files.stat(IGNORE_FILE)]);
  if (!modules.ok || ignore.ok) return template;
  return { ...template, [IGNORE_FILE]: `${template[IGNORE_FILE] ?? ''}node_modules/\n` };
}
