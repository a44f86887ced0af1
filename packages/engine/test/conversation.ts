import { createHash, generateKeyPairSync } from 'node:crypto';
import { createRecorder, publicKeyOf, type RunId, type Store, signerOf, verifyRun } from '@cuebook/journal';
import { composeRequest, createRedactor, type GatedRequest } from '@cuebook/prompt';
import { type LiveTurn, runTurn, type Session, type TurnEnd, type TurnEvent } from '@cuebook/provider';
import type { ConversationConfig } from '../src/conversation/conversation.js';
import { createAgentMachine } from '../src/conversation/machine.js';
import type { TurnRecorder } from '../src/conversation/turn/receipts.js';
import { createRunPorts } from '../src/conversation/turn/run-port.js';
import { createTurnDriver } from '../src/conversation/turn-driver.js';
import type { Driver } from '../src/effect/driver.js';
import { createEngine } from '../src/loop/engine.js';
import { inProcess } from '../src/work/in-process.js';
import { CONFIG } from './agent-run.js';

export const RUN = 'run_1' as RunId;

/**
 * No machine is so busy that a process of a test loses it. Nobody has to wait for its end: who stops gives it back, and
 * the lease of a process that was killed is over.
 */
export const LONG_LEASE_MS = 10 * 60_000;

/** What a scripted provider does in one turn. It stands behind the real frame of a turn. */
export type Speech = (turn: LiveTurn) => Promise<Omit<TurnEnd, 'type'>>;

export interface ConversationOptions {
  readonly store: Store;
  readonly speeches: Speech[];
  readonly tool?: (tool: string, input: unknown) => Promise<string>;
  readonly config?: Partial<ConversationConfig>;
  readonly recorder?: TurnRecorder;
  readonly publish?: (event: TurnEvent) => void;
}

/** A conversation of real parts: journal, receipts, engine, and a provider's frame around scripted speeches. */
export function conversation({ store, speeches, tool, config, recorder, publish }: ConversationOptions) {
  const signer = freshSigner();
  const machine = createAgentMachine({ ...CONFIG, ...config });
  const session: Session = {
    turn: (input) => runTurn({ provider: 'scripted', session: SESSION, input, redactor: REDACTOR, speak }),
    close: async () => {},
  };
  const speak = (turn: LiveTurn) => speeches.shift()?.(turn) ?? Promise.reject(new Error('no more speeches'));
  const drivers: Record<string, Driver> = {
    'model.turn': createTurnDriver({
      compose: async ({ input }) => ({ ok: true, value: { request: requestOf(JSON.stringify(input)) } }),
      session: () => session,
      recorder: recorder ?? createRecorder({ store, signer }),
      voice: { provider: 'scripted' },
      port: (run) => ports(run),
      ...(publish ? { publish } : {}),
    }),
    'tool.call': {
      async perform({ input }) {
        const call = input as { readonly tool: string; readonly input: unknown };
        return { ok: true, output: (await tool?.(call.tool, call.input)) ?? `ran ${call.tool}` };
      },
    },
  };
  const engine = createEngine({ store, machine, drivers, work: inProcess({ leaseMs: LONG_LEASE_MS }) });
  const ports = createRunPorts(() => engine, store);
  const port = ports(RUN);
  let commands = 0;
  return {
    engine,
    port,
    submit: (command: Parameters<typeof port.submit>[1]) => {
      commands += 1;
      return port.submit(`test ${process.hrtime.bigint()} ${commands}`, command);
    },
    state: async () => (await engine.read(RUN)).state,
    types: async () => (await store.read(RUN)).map(({ type }) => type),
    verify: () => {
      const key = publicKeyOf(signer.publicKey);
      return verifyRun(store, RUN, { publicKeys: new Map(key ? [[signer.keyId, key]] : []) });
    },
  };
}

const SESSION = { model: 'scripted-1', sessionId: 'session-1' };
const REDACTOR = createRedactor({ roots: [], private: [], names: [] });

function requestOf(text: string): GatedRequest {
  const labels = { trust: 'user', secrecy: 'public', volatility: 'turn' } as const;
  const composed = composeRequest({
    blocks: [
      {
        name: 'history',
        role: 'user',
        pieces: [{ text, origin: { kind: 'input', ref: 'test' }, ...labels }],
      },
    ],
    hash: (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    redactor: REDACTOR,
  });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}

function freshSigner() {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const signer = signerOf(pem.toString());
  if (!signer) throw new Error('not a key');
  return signer;
}
