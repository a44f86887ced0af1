import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** How the API server is reached, and as whom. */
export interface Connection {
  /** `https://HOST:PORT`, with a path where a proxy wants one. */
  readonly server: string;
  /** Certificates that the server is believed by, as PEM. Left out: those of the system. */
  readonly ca?: string;
  /** The name that the server's certificate must have, where that is not the host's. */
  readonly serverName?: string;
  /** Believes any server. Only because its owner says so. */
  readonly insecure?: boolean;
  /** A client certificate and its key, as PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** Asked before each call: tokens of service accounts change every hour. */
  readonly token?: () => Promise<string | undefined>;
}

export interface KubeCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** Of silence: while bytes come the call lives. */
  readonly idleMs: number;
}

export interface Transport {
  /** The head of the answer; its body is read by the caller. Rejects where there is none. */
  send(call: KubeCall): Promise<IncomingMessage>;
  close(): void;
}

export function createTransport({ server, token, ...tls }: Connection): Transport {
  const base = new URL(server);
  const isSafe = base.protocol === 'https:';
  const agent = isSafe
    ? new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, ...tlsOf(tls) })
    : new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const prefix = base.pathname.replace(/\/$/, '');
  return {
    async send({ method, path, query = {}, body, contentType = 'application/json', signal, idleMs }) {
      const bearer = await token?.();
      const asked = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
      const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`;
      return new Promise((resolve, reject) => {
        const request = (isSafe ? https : http).request({
          agent,
          method,
          host: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port || (isSafe ? 443 : 80),
          path: `${prefix}${path}${search}`,
          headers: {
            accept: 'application/json',
            'user-agent': 'cuebook-controller',
            ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
            ...(body === undefined
              ? {}
              : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
          },
          ...(signal === undefined ? {} : { signal }),
        });
        request.setTimeout(idleMs, () =>
          request.destroy(new Error(`No byte for ${Math.round(idleMs / 1000)} s`)),
        );
        request.once('response', resolve);
        request.once('error', reject);
        request.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

const tlsOf = ({ ca, cert, key, serverName, insecure }: Omit<Connection, 'server' | 'token'>) => ({
  ...(insecure === true ? { rejectUnauthorized: false } : {}),
  ...(ca === undefined ? {} : { ca }),
  ...(cert === undefined ? {} : { cert }),
  ...(key === undefined ? {} : { key }),
  ...(serverName === undefined ? {} : { servername: serverName }),
});

/** Watches hold one each for as long as they live. */
const MAX_SOCKETS = 64;
