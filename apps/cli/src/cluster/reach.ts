import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { KubeReach, ReachedCluster } from '@cuebook/operator';
import { runProgram } from '@cuebook/process';
import { readYaml } from '@cuebook/yaml';
import { type Call, flagValue } from '../command.js';
import { Failure } from '../failure.js';
import { readNamedFile } from '../project/named-file.js';

/** The cluster that a call means: by its flag, by KUBECONFIG, by the pod's service account, by the usual file. */
export async function reachCluster({ flags, io }: Pick<Call, 'flags' | 'io'>): Promise<ReachedCluster> {
  const { connectionInPod, connectionOf, readKubeConfig } = await import('@cuebook/operator');
  const named = flagValue(flags, 'kubeconfig') ?? (io.env.KUBECONFIG || undefined);
  const read = (path: string): Promise<string> => readNamedFile(io.cwd, path);
  if (named === undefined) {
    const inPod = await connectionInPod(io.env, { read });
    if (inPod !== undefined) return inPod;
  }
  const files = (named ?? join(io.env.HOME ?? homedir(), '.kube', 'config')).split(delimiter).filter(Boolean);
  const documents = await Promise.all(
    files.map(async (file) => ({ folder: dirname(file), document: await readConfig(read, file) })),
  );
  const reach: KubeReach = { read, run: runCredential(io.env), now: () => new Date() };
  const config = readKubeConfig(documents);
  const reached = await connectionOf(config, reach, flagValue(flags, 'context'));
  if (!reached.ok) throw new Failure('E_KUBECONFIG', reached.error, { exit: 3 });
  return reached.value;
}

async function readConfig(read: (path: string) => Promise<string>, file: string): Promise<unknown> {
  const text = await read(file).catch(() => {
    throw new Failure('E_KUBECONFIG', `The kubeconfig ${file} cannot be read.`, { exit: 3 });
  });
  const parsed = readYaml(file, text, 'E_KUBECONFIG');
  if (!parsed.ok) throw new Failure('E_KUBECONFIG', `The kubeconfig ${file} is not YAML.`, { exit: 3 });
  return parsed.value.value;
}

/** A program that gives a credential sees the user's environment, as it does when `kubectl` runs it. */
const runCredential =
  (env: Readonly<Record<string, string | undefined>>): KubeReach['run'] =>
  async ({ command, args, env: more }) => {
    const ended = await runProgram({
      ...{ command, args, cwd: homedir(), env: { ...whole(env), ...more } },
      ...{ timeoutMs: 60_000, maxStdoutBytes: 1024 * 1024, maxStderrBytes: 64 * 1024 },
    });
    if (ended.code !== 0) throw new Error('It ended without a credential.');
    return ended.stdout.toString();
  };

const whole = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined));
