import { openFolder } from '@cuebook/files';
import { openLogins } from '@cuebook/host';
import type { ServerLogins } from '@cuebook/provider/servers';
import type { Io } from '../io.js';
import { homeFolder } from './home.js';

/** The logins of a project's home at MCP servers. Only `makes` makes a home where there is none. */
export const projectLogins = (
  folder: string,
  io: Pick<Io, 'env' | 'cwd'>,
  { makes = false }: { readonly makes?: boolean } = {},
): ServerLogins =>
  openLogins(async () => {
    const opened = await openFolder(homeFolder(folder, io), { create: makes && 'ignored' });
    return opened.ok ? opened.value : undefined;
  });
