import type { Files } from '@cuebook/files';
import type { ServerLogin, ServerLogins } from '@cuebook/provider/servers';
import { openVault, type VariableVault } from './vault.js';

/** Where logins lie below CUEBOOK_HOME, a file for each server, and the key that they are sealed with. */
const FOLDER = 'logins';
const KEY_FILE = 'keys/logins.key';

/**
 * The logins of a home at MCP servers. What is written is sealed, so that a copy of the files without the key opens
 * nothing. One that was sealed with another key, or was changed, is no login. The home is opened when it is needed.
 */
export function openLogins(home: () => Promise<Files | undefined>): ServerLogins {
  let opened: Promise<{ readonly files: Files; readonly vault: VariableVault } | undefined> | undefined;
  const open = async () => {
    const files = await home();
    const vault = files && (await openVault(files, KEY_FILE));
    return files && vault?.ok ? { files, vault: vault.value } : undefined;
  };
  const place = async () => {
    opened ??= open();
    const at = await opened;
    if (at === undefined) opened = undefined;
    return at;
  };
  const fileOf = (server: string): string => `${FOLDER}/${server}`;
  return {
    async read(server) {
      const files = await home();
      // A home without logins gets no key.
      const text = await files?.readText(fileOf(server), { limit: MAX_LOGIN });
      if (!text?.ok) return undefined;
      const said = (await place())?.vault.open(text.value.trim());
      return said === undefined ? undefined : (JSON.parse(said) as ServerLogin);
    },
    async write(server, login) {
      const at = await place();
      if (at === undefined) return false;
      const made = await at.files.makeDirectory(FOLDER);
      if (!made.ok) return false;
      const sealed = `${at.vault.seal(JSON.stringify(login))}\n`;
      return (await at.files.writeText(fileOf(server), sealed, { mode: 0o600 })).ok;
    },
    async remove(server) {
      const files = await home();
      return (await files?.remove(fileOf(server)))?.ok === true;
    },
  };
}

/** In bytes: tokens, the client and where to refresh. */
const MAX_LOGIN = 1024 * 1024;
