import { commandLine } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import { hearPrints } from '../output/hear-prints.js';
import { printJson } from '../output/json.js';
import { isJsonLog } from '../output/process-log.js';
import { styleFor } from '../output/style.js';
import { type FoundLink, startOwn } from '../team/connect.js';
import { shareOf, untilStopped } from './worker.js';

/** `cuebook up`: the server of a project, until it is interrupted. Where one is up, its link is all there is to say. */
export const run: CommandHandler = async (call) => {
  const giveBack = hearPrints(call, 'server');
  return serve(call).finally(giveBack);
};

async function serve(call: Call): Promise<number> {
  const { flags, io } = call;
  const started = await startOwn(call, listenOf(call));
  if ('found' in started) return tellOf(started.found, call);
  const { server } = started;
  const { url, link } = server;
  if (isOn(flags, 'json')) await printJson(io, { url, link, pid: process.pid }, { exact: true });
  else await io.exact(greeting(link, call));
  await untilStopped(call);
  await server.close();
  if (!isOn(flags, 'json') && !isJsonLog(call)) io.err('Stopped. Runs go on when the server is up again.\n');
  return 0;
}

async function tellOf({ url, link, pid }: FoundLink, { flags, io }: Call): Promise<number> {
  if (isOn(flags, 'json')) await printJson(io, { url, link, pid, isUp: true }, { exact: true });
  else await io.exact(`Cuebook is up already (process ${pid}): ${styleFor(io, 'out').bold(link)}\n`);
  return 0;
}

function listenOf(call: Call) {
  const { flags } = call;
  const port = flagValue(flags, 'port');
  const host = flagValue(flags, 'host');
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw usage(`--port takes a number, not ${port}`);
  if (Number(port ?? 0) > 65_535) throw usage('--port takes a number up to 65535');
  const names = flagValues(flags, 'name');
  const strange = names.find((name) => !/^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i.test(name));
  if (strange !== undefined)
    throw usage(`--name takes the name of a host without scheme and port, not ${strange}`);
  return {
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(host === undefined ? {} : { host }),
    ...(isOn(flags, 'allow-remote') ? { allowRemote: true } : {}),
    ...(names.length === 0 ? {} : { names }),
    ...(isOn(flags, 'cluster') ? { cluster: () => readLiveManifests(call) } : {}),
    take: shareOf(call),
    variables: signInVariables(call),
  };
}

/** How people sign in, where flags say it: as the variables that they stand for. */
function signInVariables({ flags }: Call): Readonly<Record<string, string>> {
  const [issuer, client, claim] = ['oidc-issuer', 'oidc-client', 'oidc-role-claim'].map((name) =>
    flagValue(flags, name),
  );
  const [allow, roles] = ['oidc-allow', 'oidc-role'].map((name) => flagValues(flags, name).join(','));
  return {
    ...(issuer && { CUEBOOK_OIDC_ISSUER: issuer }),
    ...(client && { CUEBOOK_OIDC_CLIENT_ID: client }),
    ...(claim && { CUEBOOK_OIDC_ROLE_CLAIM: claim }),
    ...(allow && { CUEBOOK_OIDC_ALLOW: allow }),
    ...(roles && { CUEBOOK_OIDC_ROLES: roles }),
  };
}

/** The Agents and ConfigMaps of the cluster, read when somebody looks. */
async function readLiveManifests(call: Call) {
  const { openLive } = await import('../cluster/live.js');
  try {
    return { ok: true, value: (await openLive(call)).after.manifests } as const;
  } catch (error) {
    if (error instanceof Failure) return { ok: false, error: error.message } as const;
    throw error;
  }
}

const greeting = (link: string, { io }: Call): string => {
  const style = styleFor(io, 'out');
  return [
    `${style.green('✓')} Cuebook is up: ${style.bold(link)}`,
    style.dim('  The link is a key: whoever has it can do what you can.'),
    style.dim(
      `  ${typed(io, commandLine`run team:FILE --goal TEXT`)}   starts a run on it, in another terminal`,
    ),
    style.dim('  Ctrl-C stops the server. Runs go on when it is up again.'),
    '',
  ].join('\n');
};
