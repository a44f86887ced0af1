import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { part } from './part.js';
import { placeOfServer } from './suite/place-of-server.js';

const exec = promisify(execFile);

/** A real S3 server with STS: Ceph's object gateway over a throw-away cluster in memory. */
export interface Ceph {
  readonly endpoint: string;
  readonly region: 'default';
  /** Owns the buckets. */
  readonly platform: CephKeys;
  /** May assume the role of `roleFor`, and nothing else. */
  readonly broker: CephKeys;
  /** A role that the broker may assume, with every right in one bucket: a session policy narrows it. */
  roleFor(bucket: string): Promise<string>;
  /** The least lifetime of a session, 900 seconds unless it is changed. */
  setShortestSession(seconds: number): Promise<void>;
}

export interface CephKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where a running server is, as JSON. */
interface CephPlace {
  readonly folder: string;
  readonly endpoint: string;
  readonly platform: CephKeys;
  readonly broker: CephKeys;
}

/**
 * The server of the whole run: the first who asks starts it, and it ends with the run. The part `s3` must be there:
 * ask `describePart('s3', …)` first. Starting takes seconds; everybody brings buckets of their own.
 */
export async function sharedCeph(): Promise<Ceph> {
  const { folder, endpoint, platform, broker } = await placeOfServer<CephPlace>('ceph');
  const run = runnerIn(folder);
  return {
    endpoint,
    region: 'default',
    platform,
    broker,
    roleFor: (bucket) => newRole(run, bucket),
    async setShortestSession(seconds) {
      const socket = join(folder, 'out', 'client.rgw.a.asok');
      await run(
        'ceph',
        '--admin-daemon',
        socket,
        'config',
        'set',
        'rgw_sts_min_session_duration',
        `${seconds}`,
      );
    },
  };
}

/** Runs a program of Ceph's with the configuration of a folder, and answers what it prints. */
const runnerIn =
  (folder: string): Run =>
  async (program, ...args) =>
    (
      await exec(join(dirname(part('s3').path), program), ['-c', join(folder, 'ceph.conf'), ...args], {
        cwd: folder,
      })
    ).stdout;

/** Starts a monitor, one storage daemon in memory and the gateway, all on 127.0.0.1 and below a temporary folder. */
export async function launchCeph(): Promise<{ readonly place: CephPlace; stop(): Promise<void> }> {
  const programs = dirname(part('s3').path);
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-ceph-'));
  const ports = { monitor: await freePort(), gateway: await freePort() };
  const conf = join(folder, 'ceph.conf');
  const run = runnerIn(folder);
  const daemons: ChildProcess[] = [];
  const start = (program: string, ...args: readonly string[]): void => {
    // In the foreground, so that each is a child of ours and ends by its id.
    const daemon = spawn(join(programs, program), ['-c', conf, '-f', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
    const kill = (): void => void daemon.kill('SIGKILL');
    process.once('exit', kill);
    daemon.once('exit', () => process.off('exit', kill));
    daemons.push(daemon);
  };
  const stop = async (): Promise<void> => {
    // Nothing of it is kept, so nobody waits for a clean end; the gateway goes first.
    for (const daemon of daemons.reverse()) await end(daemon);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await prepareCluster(folder, conf, ports, programs);
    start('ceph-mon', '-i', 'a');
    const disk = randomUUID();
    await run('ceph', 'osd', 'new', disk);
    await addKey(
      folder,
      await run('ceph', 'auth', 'get-or-create', 'osd.0', 'mon', 'allow profile osd', 'osd', 'allow *'),
      programs,
      'osd',
    );
    await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk);
    start('ceph-osd', '-i', '0');
    await addKey(
      folder,
      await run('ceph', 'auth', 'get-or-create', 'client.rgw.a', 'mon', 'allow rw', 'osd', 'allow rwx'),
      programs,
      'rgw',
    );
    await until(async () => (await run('ceph', 'osd', 'stat')).includes('1 up'), 'the storage daemon');
    start('radosgw', '-n', 'client.rgw.a');
    await until(() => answers(ports.gateway), 'the gateway');
    const platform = await newUser(run, 'platform');
    const broker = await newUser(run, 'broker');
    const endpoint = `http://127.0.0.1:${ports.gateway}`;
    return { place: { folder, endpoint, platform, broker }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Run = (program: string, ...args: readonly string[]) => Promise<string>;

async function newUser(run: Run, name: string): Promise<CephKeys> {
  const keys = {
    accessKeyId: `K${randomBytes(8).toString('hex')}`,
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  const { accessKeyId, secretAccessKey } = keys;
  await run(
    'radosgw-admin',
    'user',
    'create',
    `--uid=${name}`,
    `--display-name=${name}`,
    `--access-key=${accessKeyId}`,
    `--secret-key=${secretAccessKey}`,
  );
  return keys;
}

async function newRole(run: Run, bucket: string): Promise<string> {
  const name = `agents-of-${bucket}`;
  const trust = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: ['arn:aws:iam:::user/broker'] }, Action: ['sts:AssumeRole'] },
    ],
  };
  const rights = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:*'],
        Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
      },
    ],
  };
  await run(
    'radosgw-admin',
    'role',
    'create',
    `--role-name=${name}`,
    '--path=/',
    `--assume-role-policy-doc=${JSON.stringify(trust)}`,
  );
  await run(
    'radosgw-admin',
    'role-policy',
    'put',
    `--role-name=${name}`,
    '--policy-name=bucket',
    `--policy-doc=${JSON.stringify(rights)}`,
  );
  return `arn:aws:iam:::role/${name}`;
}

/** Configuration, keys and the monitor's own store. */
async function prepareCluster(
  folder: string,
  conf: string,
  ports: { readonly monitor: number; readonly gateway: number },
  programs: string,
): Promise<void> {
  const id = randomUUID();
  for (const name of ['mon', 'osd', 'rgw', 'out']) mkdirSync(join(folder, name));
  writeFileSync(conf, configuration(folder, id, ports));
  const tool = (program: string, ...args: readonly string[]) =>
    exec(join(programs, program), args, { cwd: folder });
  const keyring = join(folder, 'keyring');
  await tool(
    'ceph-authtool',
    '--create-keyring',
    keyring,
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  );
  await tool(
    'ceph-authtool',
    keyring,
    '--gen-key',
    '-n',
    'client.admin',
    '--cap',
    'mon',
    'allow *',
    '--cap',
    'osd',
    'allow *',
  );
  const map = join(folder, 'monmap');
  await tool(
    'monmaptool',
    '--create',
    '--clobber',
    '--addv',
    'a',
    `[v2:127.0.0.1:${ports.monitor}]`,
    '--fsid',
    id,
    map,
  );
  await tool('ceph-mon', '-c', conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
}

/** What `auth get-or-create` answers goes to the daemon's own folder and into the one keyring. */
async function addKey(folder: string, key: string, programs: string, owner: 'osd' | 'rgw'): Promise<void> {
  const own = join(folder, owner, 'keyring');
  writeFileSync(own, key, { mode: 0o600 });
  await exec(join(programs, 'ceph-authtool'), [join(folder, 'keyring'), '--import-keyring', own]);
}

const configuration = (
  folder: string,
  id: string,
  { monitor, gateway }: { readonly monitor: number; readonly gateway: number },
): string => `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${monitor}]
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
mon allow pool size one = true
osd crush chooseleaf type = 0
mon max pg per osd = 1000
run dir = ${folder}/out
admin socket = ${folder}/out/$name.asok
keyring = ${folder}/keyring
log file = /dev/null
mon cluster log file = /dev/null
pid file =
mon data = ${folder}/mon
osd data = ${folder}/osd
osd journal = ${folder}/osd/journal
[mon]
auth allow insecure global id reclaim = false
[osd]
osd objectstore = memstore
memstore device bytes = 1073741824
[client.rgw.a]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw thread pool size = 32
rgw sts key = ${randomBytes(8).toString('hex')}
rgw s3 auth use sts = true
rgw data = ${folder}/rgw
`;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come up`);
}

function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    daemon.once('exit', () => resolve());
    daemon.kill('SIGKILL');
  });
}
