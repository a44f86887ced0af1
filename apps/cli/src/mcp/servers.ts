import { openFolder } from '@cuebook/files';
import type { LoginError, Revocation, ServerLogins, ServersConfig } from '@cuebook/provider/servers';
import { type Call, flagValue, isOn } from '../command.js';
import { diagnosed, Failure, usage } from '../failure.js';
import { unknownAction } from '../input/one-of.js';
import { printJson } from '../output/json.js';
import { findProject } from '../project/find.js';
import { projectLogins } from '../project/logins.js';
import { requireFile } from '../project/named-file.js';
import { serversConfig } from '../project/servers.js';

interface ServersDesk {
  readonly call: Call;
  readonly config: ServersConfig;
  readonly logins: ServerLogins;
}

/** `cuebook mcp list|login|logout`: the MCP servers that the project uses, and the logins at them. */
export async function runServers(call: Call): Promise<number> {
  const { args, flags, io } = call;
  const [action = '', name, ...rest] = args;
  const folder = await findProject(io.cwd, flagValue(flags, 'project'));
  const files = requireFile(await openFolder(folder, { access: 'ro' }), folder);
  const { config, diagnostics } = await serversConfig(files);
  if (diagnostics.length > 0) throw diagnosed(diagnostics);
  const logins = projectLogins(folder, io, { makes: action === 'login' });
  const desk = { call, config, logins };
  if (action === 'serve') throw usage('mcp serve takes no server');
  if (rest.length > 0) throw usage(`mcp ${action} takes one server`);
  switch (action) {
    case 'list':
      if (name !== undefined) throw usage('mcp list takes no server');
      return list(desk);
    case 'login':
      return logInAt(desk, requireRemote(desk, name, action));
    case 'logout':
      return leave(desk, requireName(desk, name, action));
    default:
      throw unknownAction(action, ['serve', 'list', 'login', 'logout']);
  }
}

async function list({ call: { flags, io }, config, logins }: ServersDesk): Promise<number> {
  const rows = await Promise.all(
    Object.entries(config).map(async ([name, server]) => {
      if (!('url' in server)) return { name, command: server.command, login: 'not needed' };
      const { url, keyName } = server;
      if (keyName !== undefined)
        return {
          name,
          url,
          login: io.env[keyName] === undefined ? `key ${keyName} is not set` : `key ${keyName}`,
        };
      const login = await logins.read(name);
      return { name, url, login: login?.url === url && login.tokens !== undefined ? 'logged in' : 'none' };
    }),
  );
  if (isOn(flags, 'json')) await printJson(io, { servers: rows });
  else if (rows.length === 0) await io.out('cuebook.yaml names no servers.\n');
  else
    for (const { name, login, ...at } of rows) await io.out(`${name}  ${at.url ?? at.command}  ${login}\n`);
  return 0;
}

async function logInAt(
  { call: { flags, io }, logins }: ServersDesk,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<number> {
  const { logIn } = await import('@cuebook/provider/servers');
  const tell = (address: string): void =>
    io.exactErr(`Open this address in a browser of this machine, and agree there:\n\n  ${address}\n\n`);
  const done = await logIn({ name, url, logins, tell, signal: io.stop });
  if (!done.ok)
    throw new Failure('E_MCP_LOGIN_FAILED', `No login at "${name}": ${WHY[done.error]}`, { exit: 1 });
  if (isOn(flags, 'json')) await printJson(io, { server: name, login: 'logged in' });
  else await io.out(`Logged in at ${name}. The login is sealed in the home of this project.\n`);
  return 0;
}

const WHY: Readonly<Record<LoginError, string>> = {
  denied: 'it was not agreed to in the browser. Try again, and agree there',
  stopped: 'it was stopped',
  timeout: 'nobody came back from the browser within ten minutes. Try again',
  refused:
    'the server offers no login that can be used, or did not take the answer. See that its url is right and that it takes OAuth',
  unkept: 'the login cannot be written to the home of this project. See that the folder can be written to',
};

async function leave({ call: { flags, io }, logins }: ServersDesk, name: string): Promise<number> {
  const { logOut } = await import('@cuebook/provider/servers');
  const left = await logOut({ name, logins }, io.stop);
  if (isOn(flags, 'json'))
    await printJson(io, { server: name, login: 'none', removed: left !== undefined, ...left });
  else
    await io.out(
      left === undefined
        ? `There is no login at ${name}.\n`
        : `The login at ${name} is removed from this machine. ${AT_SERVER[left.revocation]}\n`,
    );
  return 0;
}

const AT_SERVER: Readonly<Record<Revocation, string>> = {
  revoked: 'The server has taken its tokens back.',
  'not-offered': 'The server may still list it: take it back there, too.',
  failed: 'The server did not take its tokens back: take them back there.',
};

function requireName({ config }: ServersDesk, name: string | undefined, action: string): string {
  if (name !== undefined && Object.hasOwn(config, name)) return name;
  const names = Object.keys(config).join(', ') || 'none';
  throw usage(`mcp ${action} takes a server that cuebook.yaml names under servers: ${names}`);
}

/** A server that a person logs in at: over HTTP, without a key of its own. */
function requireRemote(desk: ServersDesk, given: string | undefined, action: string) {
  const name = requireName(desk, given, action);
  const server = desk.config[name];
  if (server === undefined || !('url' in server))
    throw usage(`"${name}" is a program: there is nothing to log in at`);
  if (server.keyName !== undefined)
    throw usage(`"${name}" takes the key in ${server.keyName}: take keyName out of cuebook.yaml to log in`);
  return { name, url: server.url };
}
