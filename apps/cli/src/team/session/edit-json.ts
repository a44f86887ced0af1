import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue } from '@cuebook/api';
import { openFolder } from '@cuebook/files';
import { runForeground } from '@cuebook/process';
import { Failure } from '../../failure.js';
import { type Io, isAtTerminal } from '../../io.js';
import { requireFile } from '../../project/named-file.js';

/** Lets a person change a value in their editor (VISUAL or EDITOR). The file is theirs alone, and gone afterwards. */
export async function editJson(io: Io, value: JsonValue): Promise<JsonValue> {
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (!editor || !isAtTerminal(io)) {
    throw new Failure('E_EDITOR', 'No editor is set (EDITOR): write the new input behind change, as JSON.');
  }
  const name = `cuebook-${randomUUID()}.json`;
  const folder = tmpdir();
  const files = requireFile(await openFolder(folder), 'the temporary folder');
  requireFile(
    await files.writeText(name, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, ifMatch: 'absent' }),
    name,
  );
  try {
    const code = await runEditor(editor, join(folder, name), io);
    if (code !== 0) throw new Failure('E_EDITOR', 'The editor did not end well, so nothing was changed.');
    return parse(requireFile(await files.readText(name), name));
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

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new Failure('E_EDITOR', 'What the editor left is not JSON, so nothing was changed.');
  }
}
