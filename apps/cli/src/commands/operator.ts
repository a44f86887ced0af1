import { hostname } from 'node:os';
import {
  createKubeClient,
  createTransport,
  type KubeClient,
  serveEndpoints,
  systemClock,
} from '@cuebook/controller';
import type { AgentGroup } from '@cuebook/operator';
import { reachCluster } from '../cluster/reach.js';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { printJson } from '../output/json.js';

/** `cuebook operator`: looks after the Agents of a cluster, until it is interrupted. */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const { AGENT_GROUPS, clusterManifests, startOperator } = await import('@cuebook/operator');
  if (isOn(flags, 'manifests')) {
    const manifests = await clusterManifests();
    if (isOn(flags, 'json')) await printJson(io, { manifests });
    else await io.out(manifests);
    return 0;
  }
  const group = flagValue(flags, 'group') ?? 'cuebook.dev';
  if (!Object.hasOwn(AGENT_GROUPS, group))
    throw usage(`--group takes ${Object.keys(AGENT_GROUPS).join(' or ')}, not ${group}`);
  const workers = numberOf(call, 'workers', { least: 1, most: 256 });
  const port = numberOf(call, 'port', { least: 0, most: 65_535 });
  const webhookPort = numberOf(call, 'webhook-port', { least: 0, most: 65_535 });
  const { connection, namespace } = await reachCluster(call);
  const transport = createTransport(connection);
  const client = createKubeClient(transport);
  const agents = { group, version: AGENT_GROUPS[group as AgentGroup], kind: 'Agent', plural: 'agents' };
  const first = await client.list(
    { ...agents, namespaced: true },
    { namespace: flagValue(flags, 'namespace') },
  );
  if (!first.ok) {
    transport.close();
    throw new Failure('E_CLUSTER', `The Agents of ${group} cannot be listed: ${first.error.message}`, {
      exit: 3,
    });
  }
  const log = (line: string): void =>
    io.err(isOn(flags, 'json') ? `${JSON.stringify({ at: new Date().toISOString(), line })}\n` : `${line}\n`);
  const operator = startOperator({
    ...{ client, group: group as AgentGroup, clock: systemClock, signal: io.stop, log },
    namespace: flagValue(flags, 'namespace'),
    image: flagValue(flags, 'agent-image'),
    identity: `${io.env.POD_NAME ?? hostname()}-${process.pid}`,
    leaseNamespace: flagValue(flags, 'lease-namespace') ?? namespace,
    ...(workers === undefined ? {} : { workers }),
  });
  io.stop.addEventListener('abort', () => io.wait?.(), { once: true });
  const host = flagValue(flags, 'host') ?? '127.0.0.1';
  const served =
    port === undefined
      ? undefined
      : await serveEndpoints({
          ...{ port, host, metrics: operator.metrics },
          sick: operator.sick,
          unready: operator.unready,
        });
  const webhook =
    webhookPort === undefined
      ? undefined
      : await startWebhook(
          { client, operator, host, port: webhookPort, log, signal: io.stop },
          {
            namespace: flagValue(flags, 'lease-namespace') ?? namespace,
            service: flagValue(flags, 'webhook-service') ?? 'cuebook-webhook',
          },
        );
  const ports = { port: served?.port ?? null, ...(webhook && { webhookPort: webhook.port }) };
  if (isOn(flags, 'json')) await printJson(io, { group, agents: first.value.items.length, ...ports });
  else
    await io.out(
      `Looks after the Agents of ${group}: ${first.value.items.length} now.${served ? ` Health at port ${served.port}.` : ''} Ctrl-C stops it.\n`,
    );
  await operator.ended;
  await webhook?.close();
  await served?.close();
  transport.close();
  return 0;
};

/** Serves reviews, and keeps the certificate: it is looked at each hour, because another replica may have replaced it. */
async function startWebhook(
  {
    client,
    operator,
    host,
    port,
    log,
    signal,
  }: {
    readonly client: KubeClient;
    readonly operator: ReturnType<typeof import('@cuebook/operator').startOperator>;
    readonly host: string;
    readonly port: number;
    readonly log: (line: string) => void;
    readonly signal: AbortSignal;
  },
  at: { readonly namespace: string; readonly service: string },
) {
  const { keepCertificate, serveWebhook } = await import('@cuebook/operator');
  const keep = () =>
    keepCertificate({ client, clock: systemClock, configuration: 'cuebook-operator', ...at });
  const first = await keep();
  if (!first.ok)
    throw new Failure('E_CLUSTER', `The webhook has no certificate: ${first.error.message}`, { exit: 3 });
  const webhook = await serveWebhook({
    ...{ host, port, certificate: first.value, view: operator.view },
    onReviewed: (answer) => operator.metrics.count('cuebook_reviews_total', { answer }),
  });
  const look = async (): Promise<void> => {
    const kept = await keep();
    if (kept.ok) webhook.renew(kept.value);
    else log(`the certificate of the webhook cannot be read: ${kept.error.message}`);
  };
  const timer = setInterval(() => void look(), 3_600_000);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return webhook;
}

function numberOf(
  { flags }: Call,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const value = flagValue(flags, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most)) throw usage(`--${name} takes a number from ${least} to ${most}`);
  return number;
}
