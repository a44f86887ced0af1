import { guard } from '@cuebook/guard';
import type { Child } from '@cuebook/process';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { LiveTurn } from '../../stream/live-turn.js';
import { failedEnd } from '../../stream/turn-error.js';
import type { CodexEnding } from '../driver.js';
import { endOfChild, MAX_NOISE, sayTo, startCodex } from '../program.js';
import { CLIENT, type CodexOptions, configArguments } from '../settings.js';
import { type AppServerPeer, createPeer, type PeerListener } from './peer.js';

/** An app-server that runs and has been greeted. */
export interface AppServerConnection {
  readonly child: Child;
  readonly peer: AppServerPeer;
  /** Who hears what comes from now on. */
  listen(listener: PeerListener | undefined): void;
  /** Whether the program no longer answers. */
  isOver(): boolean;
}

/** Why there is none: `old` means a Codex that has no app-server, or none that we can talk to. */
export type ConnectionFailure = { readonly old: boolean; readonly end: CodexEnding };

/** Starts an app-server in the folder and greets it. The folder is its working folder, and never told. */
export async function connect(
  options: CodexOptions,
  cwd: string,
  turn: LiveTurn,
): Promise<Result<AppServerConnection, ConnectionFailure>> {
  const child = startCodex(options, cwd, ['app-server', ...configArguments(options.config)]);
  const greeting = createGreeting(turn);
  let listener: PeerListener | undefined = greeting.listener;
  const peer = createPeer(child.lines, () => listener);
  const stop = () => void child.kill();
  turn.signal.addEventListener('abort', stop, { once: true });
  try {
    const capabilities = { experimentalApi: true, requestAttestation: false };
    const say = sayTo(child, turn);
    const greeted = await Promise.race([
      peer.call(say, 'initialize', { clientInfo: CLIENT, capabilities }),
      greeting.garbled,
    ]);
    if (greeted === 'garbled') {
      await child.kill();
      return fail({
        old: false,
        end: failedEnd('E_PROVIDER_EXIT', 'Codex wrote lines that are no messages.'),
      });
    }
    if (greeted.ok) {
      await peer.notify(say, 'initialized');
      return ok(
        follow(child, peer, (next) => {
          listener = next;
        }),
      );
    }
    // Asked before it is ended: how it ended by itself says why.
    const failure =
      greeted.error.kind === 'closed'
        ? await endOfStart(child)
        : { old: true, end: failedEnd('E_PROVIDER_FAILED', greeted.error.message) };
    await child.kill();
    return fail(failure);
  } catch (thrown) {
    await child.kill();
    throw thrown;
  } finally {
    turn.signal.removeEventListener('abort', stop);
  }
}

function follow(
  child: Child,
  peer: AppServerPeer,
  listen: AppServerConnection['listen'],
): AppServerConnection {
  let over = false;
  void child.exited.then(() => {
    over = true;
  });
  return { child, peer, listen, isOver: () => over };
}

/** A program that does not know the word `app-server` says so and ends. */
async function endOfStart(child: Child): Promise<ConnectionFailure> {
  const end = await endOfChild(child);
  const old = /unrecognized subcommand|unexpected argument|unknown command/i.test(child.stderrTail());
  return { old, end };
}

/** Hears what comes before the greeting is answered; too many lines that are no messages end it. */
function createGreeting(turn: LiveTurn) {
  let garble = (_word: 'garbled') => {};
  let noise = 0;
  const garbled = new Promise<'garbled'>((resolve) => {
    garble = resolve;
  });
  const listener: PeerListener = {
    received: (bytes) => turn.received(bytes),
    notice: () => {},
    request: () => {},
    closed: () => {},
    noise() {
      noise += 1;
      if (guard('codex.greeting', noise > MAX_NOISE)) garble('garbled');
    },
  };
  return { listener, garbled };
}
