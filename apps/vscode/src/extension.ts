import { commands, type ExtensionContext, Uri, window, workspace } from 'vscode';
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node';
import { chooseCommand, OWN_COMMAND } from './choose-command.js';

let client: LanguageClient | undefined;

/** Starts the language server of the project: its own `cuebook`, else the one on the path. */
export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand('cuebook.restart', async () => {
      await client?.stop();
      client = await create();
      await client?.start();
    }),
  );
  client = await create();
  await client?.start().catch(() => {
    void window.showErrorMessage(
      'Cuebook could not be started. Install it in the project (npm install cuebook), or set cuebook.command.',
    );
  });
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function create(): Promise<LanguageClient | undefined> {
  const [folder] = workspace.workspaceFolders ?? [];
  if (folder === undefined || folder.uri.scheme !== 'file') return undefined;
  const cwd = folder.uri.fsPath;
  const said = workspace.getConfiguration('cuebook', folder.uri).get<string>('command') ?? '';
  const hasOwn = await workspace.fs.stat(Uri.joinPath(folder.uri, OWN_COMMAND)).then(
    () => true,
    () => false,
  );
  const { command, args } = chooseCommand({ said, hasOwn });
  const server: ServerOptions = { command, args, transport: TransportKind.stdio, options: { cwd } };
  return new LanguageClient('cuebook', 'Cuebook', server, {
    documentSelector: [
      { scheme: 'file', language: 'yaml' },
      { scheme: 'file', language: 'markdown' },
      { scheme: 'file', language: 'json' },
      { scheme: 'file', language: 'typescript' },
      { scheme: 'file', language: 'javascript' },
    ],
  });
}
