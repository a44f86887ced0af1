import {
  type Completion,
  type FileEdit,
  linesOfText,
  type OutlineItem,
  type OutlineKind,
  type TextLines,
  type TextRange,
  wordAt,
} from '@cuebook/editor';
import { type Diagnostic, TRUSTS } from '@cuebook/prompt';
import type {
  CompletionItemKind,
  DocumentSymbol,
  Diagnostic as LspDiagnostic,
  Range,
  SymbolKind,
  TextDocumentEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';

// What the editor's core answers, as the protocol writes it.

export const rangeIn = (lines: TextLines, { start, end }: TextRange): Range => ({
  start: lines.placeAt(start),
  end: lines.placeAt(end),
});

/** A diagnostic at the word that it is about. */
export function toDiagnostic(
  { code, severity, line, column, path }: Diagnostic,
  message: string,
  lines: TextLines,
): LspDiagnostic {
  const range = line === undefined ? { start: 0, end: 0 } : wordAt(lines.text, lines.offsetOf(line, column));
  return {
    range: rangeIn(lines, range),
    severity: severity === 'error' ? 1 : 2,
    code,
    source: 'cuebook',
    message,
    ...(path === undefined ? {} : { data: { path } }),
  };
}

/** The kinds of semantic tokens: who could have written the words. */
export const TOKEN_TYPES: readonly string[] = TRUSTS.map(
  (trust) => `trust${trust.charAt(0).toUpperCase()}${trust.slice(1)}`,
);

/** Tokens as the protocol packs them: each by its distance from the one before. Each stands on one line. */
export function packTokens(
  found: readonly { readonly range: TextRange; readonly trust: (typeof TRUSTS)[number] }[],
  lines: TextLines,
): number[] {
  const data: number[] = [];
  let last = { line: 0, character: 0 };
  for (const { range, trust } of found) {
    const at = lines.placeAt(range.start);
    const isSame = at.line === last.line;
    data.push(at.line - last.line, isSame ? at.character - last.character : at.character);
    data.push(range.end - range.start, TRUSTS.indexOf(trust), 0);
    last = at;
  }
  return data;
}

const SYMBOL_KINDS: Readonly<Record<OutlineKind, SymbolKind>> = {
  heading: 15,
  input: 13,
  block: 5,
  part: 15,
  node: 19,
  edge: 24,
  object: 19,
  key: 20,
  definition: 12,
};

/** A part of a file as the outline of an editor shows it. */
export const toSymbol = (item: OutlineItem, lines: TextLines): DocumentSymbol => ({
  name: item.name,
  detail: item.detail,
  kind: SYMBOL_KINDS[item.kind],
  range: rangeIn(lines, item.range),
  selectionRange: rangeIn(lines, item.selection),
  children: item.children.map((each) => toSymbol(each, lines)),
});

export const ITEM_KINDS: Readonly<Record<Completion['kind'], CompletionItemKind>> = {
  function: 3,
  name: 6,
  key: 10,
  word: 12,
  file: 17,
  target: 18,
};

/** Edits of files of one project as the protocol writes them. */
export async function toWorkspaceEdit(
  edits: readonly FileEdit[],
  {
    text,
    uri,
  }: { readonly text: (file: string) => Promise<string | undefined>; readonly uri: (file: string) => string },
): Promise<WorkspaceEdit> {
  const changes: NonNullable<WorkspaceEdit['documentChanges']> = [];
  const byFile = new Map<string, TextDocumentEdit>();
  for (const edit of edits) {
    if (edit.kind === 'move') {
      changes.push({ kind: 'rename', oldUri: uri(edit.file), newUri: uri(edit.to) });
      continue;
    }
    const known = byFile.get(edit.file);
    const of = known ?? { textDocument: { uri: uri(edit.file), version: null }, edits: [] };
    if (edit.kind === 'create')
      changes.push({ kind: 'create', uri: uri(edit.file), options: { ignoreIfExists: true } });
    if (known === undefined) {
      byFile.set(edit.file, of);
      changes.push(of);
    }
    if (edit.kind === 'create') {
      if (edit.text !== '') of.edits.push({ range: NOWHERE, newText: edit.text });
      continue;
    }
    const lines = linesOfText((await text(edit.file)) ?? '');
    of.edits.push({ range: rangeIn(lines, edit.range), newText: edit.text });
  }
  return { documentChanges: changes.filter((each) => !('edits' in each) || each.edits.length > 0) };
}

const NOWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
