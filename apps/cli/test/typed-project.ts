import type { EditorProject, FileEdit } from '@cuebook/editor';
import { PROGRAM } from '@cuebook/prompt/hint';
import type { Io } from '../src/io.js';
import { openEditorProject } from '../src/lsp/open-project.js';
import { folderWith } from './cuebook.js';

/** A project that is typed into, without a server. */
export function typedProject(files: Readonly<Record<string, string>>): EditorProject {
  const folder = folderWith(files);
  return openEditorProject(folder, quietIo(folder));
}

/** The streams of a call that nobody reads. */
export const quietIo = (cwd: string): Io => ({
  cwd,
  env: {},
  out: async () => undefined,
  exact: async () => undefined,
  exactErr: () => undefined,
  err: () => undefined,
  stdin: (async function* () {})(),
  terminal: { in: false, out: false, err: false },
  stop: new AbortController().signal,
  typing: { program: PROGRAM, project: undefined },
});

export function type(project: EditorProject, file: string, text: string): void {
  project.buffers.set(file, text);
  project.tell([{ path: file, isMove: true }]);
}

/** The files of a project after edits, as an editor would make them. */
export function edited(
  files: Readonly<Record<string, string>>,
  edits: readonly FileEdit[],
): Readonly<Record<string, string>> {
  const texts = new Map(Object.entries(files));
  const replaced = edits.filter((edit) => edit.kind === 'replace');
  for (const { file, range, text } of [...replaced].sort((a, b) => b.range.start - a.range.start)) {
    const before = texts.get(file) ?? '';
    texts.set(file, before.slice(0, range.start) + text + before.slice(range.end));
  }
  for (const edit of edits) {
    if (edit.kind === 'create') texts.set(edit.file, edit.text);
    if (edit.kind !== 'move') continue;
    texts.set(edit.to, texts.get(edit.file) ?? '');
    texts.delete(edit.file);
  }
  return Object.fromEntries(texts);
}
