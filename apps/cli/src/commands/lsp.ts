import type { CommandHandler } from '../command.js';
import { serveEditor } from '../lsp/serve.js';

/** `cuebook lsp`: the language server, on standard streams. */
export const run: CommandHandler = ({ io }) => serveEditor(io);
