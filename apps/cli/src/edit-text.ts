import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { runForeground } from '@cuebook/process';
import { Failure } from './failure.js';
import { type Io, isAtTerminal } from './io.js';
import { requireFile } from './project/named-file.js';

/** What is edited, the ending of its file name, and what to do where there is no editor. */
export interface EditedText {
  readonly text: string;
  readonly ending: 'json' | 'yaml';
  readonly otherwise: string;
}

/** Lets a person change a text in their editor (VISUAL or EDITOR). The file is theirs alone, and gone afterwards. */
export async function editText(io: Io, { text, ending, otherwise }: EditedText): Promise<string> {
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (!editor || !isAtTerminal(io)) throw new Failure('E_EDITOR', `No editor is set (EDITOR): ${otherwise}`);
  const name = `cuebook-${randomUUID()}.${ending}`;
  const folder = tmpdir();
  const files = requireFile(await openFolder(folder), 'the temporary folder');
  requireFile(await files.writeText(name, text, { mode: 0o600, ifMatch: 'absent' }), name);
  try {
    const code = await runEditor(editor, join(folder, name), io);
    if (code !== 0) throw new Failure('E_EDITOR', 'The editor did not end well, so nothing was changed.');
    return requireFile(await files.readText(name), name);
  } finally {
    await files.remove(name);
  }
}

/** An editor may have arguments of its own (`code --wait`), so a shell reads it. */
const runEditor = (editor: string, file: string, io: Io): Promise<number> =>
  runForeground({
    command: 'sh',
    args: ['-c', `${editor} "$1"`, 'sh', file],
    cwd: io.cwd,
    env: { ...io.env } as Record<string, string>,
  });
