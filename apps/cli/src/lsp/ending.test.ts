import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { StreamMessageReader } from 'vscode-languageserver-protocol/node';
import { inTurn, runs } from '../../../../test/runs.js';
import { BIN, folderWith } from '../../test/cuebook.js';

const SHEET = `title: Greet
blocks:
  - name: rules
    role: system
    parts:
      - include: tone
`;
const MANY = Array.from({ length: 40 }, (_, at) => [`sheets/s${at}.yaml`, SHEET]);
const FILES = { 'cuebook.yaml': 'roots: {}\n', 'texts/tone.md': 'Be kind.\n', ...Object.fromEntries(MANY) };

/** What a client sends while somebody works. */
type Act =
  | { readonly kind: 'open' | 'type'; readonly file: string; readonly text: string }
  | { readonly kind: 'close' | 'save' | 'seen'; readonly file: string }
  | { readonly kind: 'ask'; readonly file: string; readonly method: string };

const file = fc.constantFrom('sheets/s0.yaml', 'sheets/s1.yaml', 'texts/tone.md', 'sheets/new.yaml');
const text = fc.constantFrom(SHEET, SHEET.replace('tone', 'tome'), 'blocks: [', '', `${SHEET}# 😀\r\n`);
const edit: fc.Arbitrary<Act> = fc.record({ kind: fc.constantFrom('open', 'type'), file, text });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: edit },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('close', 'save', 'seen'), file }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      file,
      method: fc.constantFrom('hover', 'semanticTokens/full', 'documentSymbol', 'references', 'codeAction'),
    }),
  },
);

/** How a client goes. */
const ENDS = [
  'input ends',
  'input is cut inside of a message',
  'exit without shutdown',
  'shutdown and exit',
] as const;

const burst = fc.record({
  /** Sent, and waited for, before the rest. */
  before: fc.array(act, { maxLength: 12 }),
  /** Sent right before the end. */
  after: fc.array(act, { maxLength: 70 }),
  refreshes: fc.boolean(),
});

const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };

function messagesOf(folder: string) {
  let version = 0;
  let id = 1;
  const uri = (name: string): string => pathToFileURL(`${folder}/${name}`).href;
  const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: ++id, method, params });
  const notice = (method: string, params?: object) => ({ jsonrpc: '2.0', method, params });
  return {
    request,
    notice,
    start: (processId: number | null, refreshes: boolean) => [
      request('initialize', {
        processId,
        rootUri: pathToFileURL(folder).href,
        capabilities: refreshes
          ? { workspace: { inlayHint: { refreshSupport: true }, semanticTokens: { refreshSupport: true } } }
          : {},
        workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'project' }],
      }),
      notice('initialized', {}),
    ],
    of: (each: Act): object => {
      const textDocument = { uri: uri(each.file) };
      version += 1;
      switch (each.kind) {
        case 'open': {
          const opened = { ...textDocument, languageId: 'yaml', version, text: each.text };
          return notice('textDocument/didOpen', { textDocument: opened });
        }
        case 'type': {
          const contentChanges = [{ text: each.text }];
          return notice('textDocument/didChange', {
            textDocument: { ...textDocument, version },
            contentChanges,
          });
        }
        case 'ask':
          return request(`textDocument/${each.method}`, {
            textDocument,
            position: range.start,
            range,
            context: { diagnostics: [], includeDeclaration: true },
          });
        case 'seen':
          return notice('workspace/didChangeWatchedFiles', { changes: [{ ...textDocument, type: 1 }] });
        default:
          return notice(`textDocument/did${each.kind === 'save' ? 'Save' : 'Close'}`, { textDocument });
      }
    },
  };
}

const framed = (messages: readonly object[]): Buffer =>
  Buffer.concat(
    messages.map((message) => {
      const body = Buffer.from(JSON.stringify(message));
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
    }),
  );

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

function started(command: readonly string[], cwd: string) {
  const child = spawn(process.execPath, command, { cwd });
  running.add(child);
  // A client that writes to one that is gone.
  child.stdin.on('error', () => undefined);
  const printed = { stderr: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    printed.stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, ...printed };
  });
  return { child, ended };
}

/** Waits for the answers to all of these. */
function answered(stdout: NodeJS.ReadableStream, messages: readonly object[]): Promise<void> {
  const open = new Set(messages.flatMap((message) => ('id' in message ? [message.id] : [])));
  return new Promise((resolve) => {
    new StreamMessageReader(stdout).listen((message) => {
      if ('id' in message && !('method' in message)) open.delete(message.id);
      if (open.size === 0) resolve();
    });
  });
}

describe('the language server ends with its client', () => {
  it.each(inTurn(ENDS))('%s, after any burst of edits', async (end) => {
    await fc.assert(
      fc.asyncProperty(burst, async ({ before, after, refreshes }) => {
        const folder = folderWith(FILES);
        const { start, of, request, notice } = messagesOf(folder);
        const { child, ended } = started([BIN, 'lsp', '--stdio'], folder);
        const first = [...start(process.pid, refreshes), ...before.map(of)];
        const isIn = answered(child.stdout, first);
        child.stdin.write(framed(first));
        await isIn;
        const last = framed(after.map(of));
        if (end === 'shutdown and exit') {
          const shutdown = request('shutdown');
          child.stdin.write(last);
          const isShut = answered(child.stdout, [shutdown]);
          child.stdin.write(framed([shutdown]));
          await isShut;
          child.stdin.write(framed([notice('exit')]));
        } else if (end === 'exit without shutdown') {
          child.stdin.write(Buffer.concat([last, framed([notice('exit')])]));
        } else if (end === 'input ends') {
          child.stdin.end(last);
        } else {
          child.stdin.end(
            Buffer.concat([last, framed(after.slice(0, 1).map(of)), Buffer.from('Content-Len')]),
          );
        }
        expect(await ended).toEqual({ code: end === 'shutdown and exit' ? 0 : 1, stderr: '' });
      }),
      runs(40, 200),
    );
  });

  it.each(
    inTurn([
      { what: 'its streams end with it', holds: false },
      { what: 'another process holds them open', holds: true },
    ]),
  )('the client is killed and $what, after any burst of edits', async ({ holds }) => {
    await fc.assert(
      fc.asyncProperty(burst, async ({ before, after, refreshes }) => {
        const folder = folderWith(FILES);
        const { start, of } = messagesOf(folder);
        const client = spawn(process.execPath, ['-e', CLIENT, String(holds), BIN], {
          cwd: folder,
          stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
        });
        running.add(client);
        const { stdin, stdout, stderr } = client;
        const held = client.stdio[3] as Writable;
        let said = '';
        stderr.on('data', (chunk: Buffer) => {
          said += chunk.toString();
        });
        // The server has its standard error from the client: the end of that is the end of the server.
        const isOver = once(stderr, 'end');
        const first = [...start(client.pid as number, refreshes), ...before.map(of)];
        const isIn = answered(stdout, first);
        stdin.write(framed(first));
        await isIn;
        stdin.end(framed(after.map(of)));
        await isOver;
        held.end();
        running.delete(client);
        expect(said).toBe('');
      }),
      runs(20, 40),
    );
  });
});

/** A client that hands on what it gets, and kills itself when that ends; it may leave a process that holds the streams. */
const CLIENT = `
  const { spawn } = require('node:child_process');
  const [holds, bin] = process.argv.slice(1);
  const server = spawn(process.execPath, [bin, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const hold = 'process.stdin.resume()';
  if (holds === 'true') spawn(process.execPath, ['-e', hold], { stdio: [3, server.stdout, 'ignore', server.stdin] });
  server.stdout.pipe(process.stdout);
  process.stdin.on('data', (chunk) => server.stdin.write(chunk));
  process.stdin.on('end', () => setImmediate(() => process.kill(process.pid, 'SIGKILL')));
`;
