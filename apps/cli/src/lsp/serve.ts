import { Readable, Writable } from 'node:stream';
import {
  afterChanges,
  cardAt,
  completeAt,
  fixesFor,
  linesOfText,
  notesOf,
  outlineOf,
  renameAt,
  renameTo,
  type TextLines,
  type TextRange,
  trustRanges,
} from '@cuebook/editor';
import { createConnection, type Location, type Position } from 'vscode-languageserver';
import {
  createProtocolConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { Io } from '../io.js';
import { credentialsAway } from '../redact/typed-credentials.js';
import { VERSION } from '../version.js';
import { whenClientIsGone } from './client-alive.js';
import { ITEM_KINDS, packTokens, rangeIn, TOKEN_TYPES, toSymbol, toWorkspaceEdit } from './convert.js';
import { type OpenFile, openWorkspace } from './workspace.js';

/** Speaks the Language Server Protocol on standard streams until the client ends it. Answers the exit code. */
export async function serveEditor(io: Io): Promise<number> {
  let isEnded = false;
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = (code) => {
      isEnded = true;
      resolve(code);
    };
  });
  const watchDog = {
    shutdownReceived: false,
    initialize: () => undefined,
    exit: (code: number) => end(code),
  };
  let isBegun = false;
  let forgetClient = (): void => undefined;
  const input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin, { objectMode: false });
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => void io.exact(chunk.toString()).then(() => done(), done),
  });
  const connection = createConnection(
    (logger) =>
      createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    watchDog,
  );
  // A client that is gone has no more to say.
  input.on('end', () => end(watchDog.shutdownReceived || !isBegun ? 0 : 1));
  input.on('error', () => end(1));
  input.on('close', () => end(1));
  io.stop.addEventListener('abort', () => end(0), { once: true });

  const log = (message: string): void => io.err(`language server: ${message}\n`);
  /** Diagnostics are published in the order in which they were found. */
  let published: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    published = published.then(work).catch((error: unknown) => log(String(error)));
  };
  const workspace = openWorkspace({
    io,
    log,
    publish: (uri, diagnostics) =>
      inTurn(async () => {
        const away = await credentialsAway();
        if (isEnded) return;
        const told = diagnostics.map((each) => ({
          ...each,
          message: typeof each.message === 'string' ? away(each.message) : each.message,
        }));
        await connection.sendDiagnostics({ uri, diagnostics: told });
      }),
  });
  /** Changes are taken in the order in which they come, whatever each of them waits for. */
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<void>): void => {
    last = last.then(() => (isEnded ? undefined : work())).catch((error: unknown) => log(String(error)));
  };
  let folders: readonly string[] = [];
  let refreshes = false;

  connection.onInitialize(({ processId, workspaceFolders, rootUri, capabilities }) => {
    isBegun = true;
    forgetClient();
    forgetClient = whenClientIsGone(processId, () => end(1));
    folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
    refreshes =
      capabilities.workspace?.inlayHint?.refreshSupport === true &&
      capabilities.workspace.semanticTokens?.refreshSupport === true;
    return {
      serverInfo: { name: 'cuebook', version: VERSION },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: 2, save: true },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentSymbolProvider: true,
        renameProvider: { prepareProvider: true },
        completionProvider: { triggerCharacters: [':', ' ', '.', '"', "'", '/', '{'] },
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        inlayHintProvider: true,
        semanticTokensProvider: { legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [] }, full: true },
        workspace: { workspaceFolders: { supported: true } },
      },
    };
  });
  connection.onInitialized(() => {
    for (const uri of folders) inOrder(() => workspace.open(uri));
  });

  /** Tells a project of a change and lets others go on while it looks. */
  const told = ({ of, file }: OpenFile, isMove: boolean): void => {
    void of.changed([{ path: file, isMove }]).then(() => {
      if (!refreshes || isEnded) return;
      // One that the client does not answer before it ends is no failure.
      const { inlayHint, semanticTokens } = connection.languages;
      for (const each of [inlayHint, semanticTokens]) Promise.resolve(each.refresh()).catch(() => undefined);
    });
  };
  connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) =>
    inOrder(async () => {
      const found = await workspace.find(uri);
      if (found === undefined) return;
      found.of.project.buffers.set(found.file, text);
      told(found, true);
    }),
  );
  connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) =>
    inOrder(async () => {
      const found = await workspace.find(uri);
      if (found === undefined) return;
      const { buffers } = found.of.project;
      const text = afterChanges(buffers.typed(found.file) ?? '', contentChanges);
      buffers.set(found.file, text);
      told(found, false);
    }),
  );
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) =>
    inOrder(async () => {
      const found = await workspace.find(uri);
      if (found === undefined) return;
      found.of.project.buffers.remove(found.file);
      told(found, true);
    }),
  );
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) =>
    inOrder(async () => {
      const found = await workspace.find(uri);
      if (found !== undefined) told(found, true);
    }),
  );
  connection.onDidChangeWatchedFiles(({ changes }) =>
    inOrder(async () => {
      for (const { uri, type } of changes) {
        const found = await workspace.find(uri);
        if (found !== undefined) told(found, type !== 2);
      }
    }),
  );

  /** A file that a request is about, with its text, after all changes that came before the request. */
  const ask = async <Answer>(
    uri: string,
    answer: (file: AskedFile) => Promise<Answer | null>,
  ): Promise<Answer | null> => {
    await last;
    // `find` finds nothing once the client is gone.
    const found = await workspace.find(uri);
    const text = found === undefined ? undefined : await found.of.project.text(found.file);
    if (found === undefined || text === undefined) return null;
    try {
      return await answer({ ...found, ...found.of, lines: linesOfText(text) });
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (isEnded) return null;
      log(`A request failed: ${String(error)}`);
      return null;
    }
  };
  const locations = async (
    { project, uri }: AskedFile,
    found: readonly { readonly file: string; readonly range: TextRange }[],
  ): Promise<Location[]> =>
    Promise.all(
      found.map(async ({ file, range }) => ({
        uri: uri(file),
        range: rangeIn(linesOfText((await project.text(file)) ?? ''), range),
      })),
    );

  connection.onHover(({ textDocument, position }) =>
    ask(textDocument.uri, async ({ project, file, lines }) => {
      await project.settle();
      const card = await cardAt(project, file, lines.offsetAt(position));
      if (card === undefined) return null;
      return { contents: { kind: 'markdown', value: card.markdown }, range: rangeIn(lines, card.range) };
    }),
  );
  connection.onDefinition(({ textDocument, position }) =>
    ask(textDocument.uri, async (asked) => {
      const index = await asked.project.names();
      const name = index.at(asked.file, asked.lines.offsetAt(position));
      return name === undefined ? null : locations(asked, index.definitions(name));
    }),
  );
  connection.onReferences(({ textDocument, position, context }) =>
    ask(textDocument.uri, async (asked) => {
      const index = await asked.project.names();
      const name =
        index.at(asked.file, asked.lines.offsetAt(position)) ??
        index.of(asked.file).find(({ isFile }) => isFile === true);
      if (name === undefined) return null;
      return locations(
        asked,
        index.same(name).filter(({ isDefinition }) => context.includeDeclaration || !isDefinition),
      );
    }),
  );
  connection.onDocumentSymbol(({ textDocument }) =>
    ask(textDocument.uri, async ({ project, file, lines }) =>
      (await outlineOf(project, file)).map((item) => toSymbol(item, lines)),
    ),
  );
  connection.onPrepareRename(({ textDocument, position }) =>
    ask(textDocument.uri, async ({ project, file, lines }) => {
      const at = lines.offsetAt(position);
      const found = await renameAt(project, file, at);
      if (found === undefined) return null;
      // The name of a file stands nowhere in it: the place itself stands for it.
      const range = found.range.end === found.range.start ? { start: at, end: at } : found.range;
      return { range: rangeIn(lines, range), placeholder: found.name };
    }),
  );
  connection.onRenameRequest(({ textDocument, position, newName }) =>
    ask(textDocument.uri, async ({ project, file, lines, uri }) => {
      const renamed = await renameTo(project, file, lines.offsetAt(position), newName);
      if (!renamed.ok) throw new ResponseError(-32803, renamed.why);
      return toWorkspaceEdit(renamed.edits, { text: project.text, uri });
    }),
  );
  connection.onCompletion(({ textDocument, position }) =>
    ask(textDocument.uri, async ({ project, file, lines }) => {
      const found = await completeAt(project, file, lines.offsetAt(position));
      if (found === undefined) return null;
      const range = rangeIn(lines, found.range);
      return found.items.map(({ label, kind, detail }) => ({
        ...{ label, detail, kind: ITEM_KINDS[kind] },
        textEdit: { range, newText: label },
      }));
    }),
  );
  connection.onCodeAction(({ textDocument, range, context }) =>
    ask(textDocument.uri, async ({ project, file, lines, uri }) => {
      if (context.only !== undefined && !context.only.includes('quickfix')) return [];
      await project.settle();
      const own = project.diagnostics().filter((each) => each.file === file && each.line !== undefined);
      const here = own.filter(({ line, column }) => {
        const { line: at } = lines.placeAt(lines.offsetOf(line as number, column));
        return range.start.line <= at && at <= range.end.line;
      });
      const actions = [];
      for (const each of here) {
        for (const { title, edits, isPreferred } of await fixesFor(project, each)) {
          const edit = await toWorkspaceEdit(edits, { text: project.text, uri });
          const diagnostics = context.diagnostics.filter(({ code }) => code === each.code);
          actions.push({ title, kind: 'quickfix', isPreferred, edit, diagnostics });
        }
      }
      return actions;
    }),
  );
  connection.languages.inlayHint.on(({ textDocument, range }) =>
    ask(textDocument.uri, async ({ project, file, lines }) => {
      await project.settle();
      const [from, to] = [lines.offsetAt(range.start), lines.offsetAt(range.end)];
      return (await notesOf(project, file))
        .filter(({ at }) => from <= at && at <= to)
        .map(({ at, label, tip }) => ({
          ...{ position: lines.placeAt(at) as Position, label, tooltip: tip },
          paddingRight: true,
        }));
    }),
  );
  connection.languages.semanticTokens.on(async ({ textDocument }) => {
    const data = await ask(textDocument.uri, async ({ project, file, lines }) => {
      await project.settle();
      return packTokens(await trustRanges(project, file), lines);
    });
    return { data: data ?? [] };
  });

  connection.listen();
  const code = await ended;
  forgetClient();
  await workspace.close();
  connection.dispose();
  input.destroy();
  return code;
}

/** A file that a request is about. */
type AskedFile = OpenFile & OpenFile['of'] & { readonly lines: TextLines };
