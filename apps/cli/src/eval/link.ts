import { openFolder } from '@cuebook/files';
import type { Call } from '../command.js';
import { journalPlace } from '../record/journal.js';
import { shownLink } from '../team/shown-link.js';

/** Where a server is up, the page of the run. */
export async function printLink(call: Call, run: string): Promise<void> {
  const { flags, io } = call;
  const { home } = await journalPlace(flags, io);
  const files = await openFolder(home, { access: 'ro' });
  // The server is loaded only where one may be up.
  if (!files.ok || !(await files.value.stat('server.json')).ok) return;
  const found = await (await import('../team/connect.js')).findRunning(call);
  if (found === undefined) return;
  io.exactErr(`page: ${shownLink(found, io)}/runs/${run}/comparison\n`);
}
