import { openFolder } from '@cuebook/files';
import type { Call } from '../command.js';
import { journalPlace } from '../record/journal.js';

/** Where a server is up, the page of the run. The link is a key: only a terminal is shown it. */
export async function printLink(call: Call, run: string): Promise<void> {
  const { flags, io } = call;
  const { home } = await journalPlace(flags, io);
  const files = await openFolder(home, { access: 'ro' });
  // The server is loaded only where one may be up.
  if (!files.ok || !(await files.value.stat('server.json')).ok) return;
  const found = await (await import('../team/connect.js')).findRunning(call);
  if (found === undefined) return;
  const link = io.terminal.err ? found.link : `${found.url}/#`;
  io.err(`page: ${link}/runs/${run}/comparison\n`);
}
