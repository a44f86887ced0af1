import type { CommandHandler } from '../command.js';
import { tellClient } from '../input/tell-client.js';
import { serveEditor } from '../lsp/serve.js';

/** `cuebook lsp`: the language server, on standard streams. */
export const run: CommandHandler = ({ io }) => {
  tellClient(io, 'This command waits for an editor', 'the Language Server Protocol');
  return serveEditor(io);
};
