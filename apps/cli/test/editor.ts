import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { BIN } from './cuebook.js';

/** An editor that is connected to the built language server over standard streams. */
export interface Editor {
  readonly connection: ProtocolConnection;
  readonly uri: (file: string) => string;
  readonly open: (file: string, text: string) => Promise<void>;
  /** The whole text anew. */
  readonly type: (file: string, text: string) => Promise<void>;
  readonly close: (file: string) => Promise<void>;
  /** Waits until what is published of a file is as wanted. */
  readonly until: (
    file: string,
    isWanted: (found: readonly Diagnostic[]) => boolean,
  ) => Promise<readonly Diagnostic[]>;
  /** What is published of every file now. */
  readonly published: () => ReadonlyMap<string, readonly Diagnostic[]>;
  /** Asks about a place of a file. */
  readonly ask: <Answer>(method: string, file: string, more?: object) => Promise<Answer>;
  /** Ends the server as the protocol says; answers the exit code and all of standard error. */
  readonly end: () => Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export async function openEditor(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Editor> {
  const child = spawn(process.execPath, [BIN, 'lsp', '--stdio'], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const published = new Map<string, readonly Diagnostic[]>();
  let wake: () => void = () => undefined;
  connection.onNotification('textDocument/publishDiagnostics', (told: PublishDiagnosticsParams) => {
    published.set(told.uri, told.diagnostics);
    wake();
  });
  connection.listen();
  const uri = (file: string): string => pathToFileURL(`${folder}/${file}`).href;
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
  });
  await connection.sendNotification('initialized', {});
  const versions = new Map<string, number>();
  const next = (file: string): number => {
    const version = (versions.get(file) ?? 0) + 1;
    versions.set(file, version);
    return version;
  };
  return {
    connection,
    uri,
    open: (file, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(file), languageId: 'yaml', version: next(file), text },
      }),
    type: (file, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(file), version: next(file) },
        contentChanges: [{ text }],
      }),
    close: (file) =>
      connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(file) } }),
    async until(file, isWanted) {
      for (;;) {
        const found = published.get(uri(file));
        if (found !== undefined && isWanted(found)) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    published: () => published,
    ask: (method, file, more = {}) =>
      connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: uri(file) }, ...more }),
    async end() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      return { code: await ended, stderr };
    },
  };
}
