import { isAbsolute, join } from 'node:path';
import type { Connection } from '@cuebook/controller';
import { fail, ok, type Result } from '@cuebook/prompt';

/** A kubeconfig as it is read: only what a connection needs. */
export interface KubeConfig {
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<
    string,
    { readonly cluster: string; readonly user: string; readonly namespace?: string }
  >;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
}

type Fields = Readonly<Record<string, unknown>>;

/** A kubeconfig as YAML has it, and the folder that it lies in. */
export interface KubeConfigFile {
  readonly document: unknown;
  readonly folder: string;
}

/** Of several files the first one that says a thing counts, as `kubectl` has it. */
export function readKubeConfig(documents: readonly KubeConfigFile[]): KubeConfig {
  const files = documents.map(({ document, folder }) => ({ ...fieldsOf(document), folder }) as Fields);
  const named = (list: string, item: string): ReadonlyMap<string, Fields> =>
    new Map(
      files
        .flatMap((file) => {
          const rows = Array.isArray(file[list]) ? (file[list] as readonly unknown[]).map(fieldsOf) : [];
          return rows.map(
            (row) => [textOf(row.name) ?? '', placed(fieldsOf(row[item]), String(file.folder))] as const,
          );
        })
        .reverse(),
    );
  const contexts = [...named('contexts', 'context')].map(([name, each]) => {
    const namespace = textOf(each.namespace);
    const parts = { cluster: textOf(each.cluster) ?? '', user: textOf(each.user) ?? '' };
    return [name, { ...parts, ...(namespace === undefined ? {} : { namespace }) }] as const;
  });
  return {
    currentContext: files.map((file) => textOf(file['current-context'])).find(Boolean) ?? '',
    contexts: new Map(contexts),
    clusters: named('clusters', 'cluster'),
    users: named('users', 'user'),
  };
}

/** Files that it names are named from where it lies. */
function placed(fields: Fields, folder: string): Fields {
  const paths = FILES.flatMap((name) => {
    const path = textOf(fields[name]);
    return path === undefined || isAbsolute(path) ? [] : [[name, join(folder, path)] as const];
  });
  return { ...fields, ...Object.fromEntries(paths) };
}

const FILES = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** What a kubeconfig needs of the machine. */
export interface KubeReach {
  /** A file that the kubeconfig names; it rejects where there is none. */
  readonly read: (path: string) => Promise<string>;
  /** Runs a program that gives a credential, and answers what it printed. */
  readonly run: (program: CredentialProgram) => Promise<string>;
  readonly now: () => Date;
}

export interface CredentialProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ReachedCluster {
  readonly connection: Connection;
  readonly namespace: string;
}

/** The connection of a context. Secrets are read when they are needed, and never told. */
export async function connectionOf(
  config: KubeConfig,
  reach: KubeReach,
  named?: string,
): Promise<Result<ReachedCluster, string>> {
  const name = named ?? config.currentContext;
  const context = config.contexts.get(name);
  if (context === undefined)
    return fail(
      name === ''
        ? 'The kubeconfig has no current context. Name one with --context.'
        : `The kubeconfig has no context "${name}". It has: ${[...config.contexts.keys()].join(', ') || 'none'}.`,
    );
  const cluster = config.clusters.get(context.cluster);
  const server = textOf(cluster?.server);
  if (cluster === undefined || server === undefined || !/^https?:\/\//.test(server))
    return fail(`The kubeconfig has no cluster "${context.cluster}" with an address.`);
  const user = config.users.get(context.user) ?? {};
  try {
    const [ca, cert, key] = await Promise.all([
      inlineOrFile(cluster, 'certificate-authority', reach),
      inlineOrFile(user, 'client-certificate', reach),
      inlineOrFile(user, 'client-key', reach),
    ]);
    const serverName = textOf(cluster['tls-server-name']);
    const program = programIn(user.exec);
    const made = program === undefined ? undefined : credentials(program, reach);
    // A program may give a certificate instead of a token, which is needed for the first call.
    const first = await made?.();
    const token = tokenOf(user, reach, made);
    return ok({
      connection: {
        server,
        ...(ca === undefined ? {} : { ca }),
        ...(serverName === undefined ? {} : { serverName }),
        ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
        ...optional('cert', first?.cert ?? cert),
        ...optional('key', first?.key ?? key),
        ...(token === undefined ? {} : { token }),
      },
      namespace: context.namespace ?? 'default',
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'The kubeconfig cannot be used.');
  }
}

const optional = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Each in Name]?: string };

async function inlineOrFile(fields: Fields, name: string, { read }: KubeReach): Promise<string | undefined> {
  const inline = textOf(fields[`${name}-data`]);
  if (inline !== undefined) return Buffer.from(inline, 'base64').toString();
  const path = textOf(fields[name]);
  return path === undefined ? undefined : read(path);
}

function tokenOf(
  user: Fields,
  { read }: KubeReach,
  made: (() => Promise<Credential>) | undefined,
): Connection['token'] | undefined {
  const file = textOf(user.tokenFile);
  const token = textOf(user.token);
  if (made !== undefined) return async () => (await made()).token;
  // A file is read again each time: tokens of service accounts change every hour.
  if (file !== undefined) return async () => (await read(file)).trim();
  return token === undefined ? undefined : async () => token;
}

interface Credential {
  readonly token?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

function programIn(exec: unknown): CredentialProgram | undefined {
  const fields = fieldsOf(exec);
  const command = textOf(fields.command);
  if (command === undefined) return undefined;
  const rows = Array.isArray(fields.env) ? fields.env.map(fieldsOf) : [];
  const env = Object.fromEntries(rows.map((row) => [textOf(row.name) ?? '', textOf(row.value) ?? '']));
  const info = {
    apiVersion: textOf(fields.apiVersion),
    kind: 'ExecCredential',
    spec: { interactive: false },
  };
  return {
    command,
    args: Array.isArray(fields.args) ? fields.args.map(String) : [],
    env: { ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  };
}

/** What the program gives, kept until a minute before it ends. */
function credentials(program: CredentialProgram, { run, now }: KubeReach): () => Promise<Credential> {
  let kept: { readonly until: number; readonly credential: Promise<Credential> } | undefined;
  return () => {
    if (kept !== undefined && now().getTime() < kept.until) return kept.credential;
    const credential = run(program).then((text) => {
      const { status } = JSON.parse(text) as { readonly status?: Fields };
      const ends = Date.parse(textOf(status?.expirationTimestamp) ?? '');
      if (kept !== undefined)
        kept = { ...kept, until: Number.isNaN(ends) ? Number.POSITIVE_INFINITY : ends - 60_000 };
      return {
        token: textOf(status?.token),
        cert: textOf(status?.clientCertificateData),
        key: textOf(status?.clientKeyData),
      };
    });
    const guarded = credential.catch(() => {
      kept = undefined;
      throw new Error(`${program.command} gave no credential.`);
    });
    kept = { until: Number.POSITIVE_INFINITY, credential: guarded };
    return guarded;
  };
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Where a pod finds its service account. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The connection of a pod; undefined where this is none. */
export async function connectionInPod(
  env: Readonly<Record<string, string | undefined>>,
  { read }: Pick<KubeReach, 'read'>,
): Promise<ReachedCluster | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (host === undefined || host === '') return undefined;
  return {
    connection: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      ca: await read(`${ACCOUNT}/ca.crt`),
      token: async () => (await read(`${ACCOUNT}/token`)).trim(),
    },
    namespace: (await read(`${ACCOUNT}/namespace`)).trim(),
  };
}
