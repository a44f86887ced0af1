import { openAgentDesk as openDesk, type ResidentDesk } from '@cuebook/resident';
import { Failure } from '../failure.js';
import type { Journal } from '../record/journal.js';
import type { AgentHome } from './home.js';

/** What the agent has at hand: its store, and its trust state in CUEBOOK_HOME. */
export async function openAgentDesk(
  { bench, file }: AgentHome,
  { home }: Journal,
  { clockIsRight = false }: { readonly clockIsRight?: boolean } = {},
): Promise<ResidentDesk> {
  const opened = await openDesk(file, { folder: bench.folder, home, clockIsRight });
  if (opened.ok) return opened.value;
  const { code, message } = opened.error;
  throw new Failure(code, message, { exit: code === 'E_KEY' ? 3 : 2 });
}
