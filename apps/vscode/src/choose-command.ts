/** How the server is started. The client of the protocol adds `--stdio`. */
interface ChosenCommand {
  readonly command: string;
  readonly args: string[];
}

/** Where a project has the command that it installed. */
export const OWN_COMMAND = 'node_modules/cuebook/bin/cuebook.js';

/** What the settings say, else the project's own, so that editor and project have one version, else the path. */
export function chooseCommand({
  said,
  hasOwn,
}: {
  readonly said: string;
  readonly hasOwn: boolean;
}): ChosenCommand {
  if (said.trim() !== '') return { command: said.trim(), args: ['lsp'] };
  return hasOwn ? { command: 'node', args: [OWN_COMMAND, 'lsp'] } : { command: 'cuebook', args: ['lsp'] };
}
