import { randomUUID } from 'node:crypto';
import type { Child, ChildExit } from '@cuebook/process';
import { asFields, asText, type Fields, parseLine } from '../agent/fields.js';
import { jsonLine } from './user-line.js';

/** Who hears what the process writes: the turn that runs now. */
export interface AgentListener {
  line(fields: Fields): void;
  /** Claude Code asks for something; whoever listens answers by `send`. */
  request(id: string, request: Fields): void;
  /** How much was written, whatever it is. */
  received(bytes: number): void;
  /** A line that is no JSON. */
  garbage(): void;
  ended(exit: ChildExit): void;
}

/** A process of Claude Code over many turns. */
export interface ClaudeAgent {
  /** What it was started with: a turn that needs something else needs another process. */
  readonly key: string;
  isGone(): boolean;
  /** A message for our own server came over the pipe: this process calls our tools here, and nowhere else. */
  served(): void;
  isServed(): boolean;
  stderrTail(): string;
  /** One at a time; the answer ends it. */
  listen(listener: AgentListener): () => void;
  /** Writes a line that has passed the choke point. False when the process no longer reads. */
  send(line: string): Promise<boolean>;
  /** Asks by a line made for the id given; undefined when it refuses or ends. */
  ask(send: (id: string) => Promise<void>): Promise<Fields | undefined>;
  /** Ends it: by itself if it does so soon after its input ended, else with all that it started. */
  stop(patienceMs: number): Promise<void>;
}

/** `start` gets who is to hear of arriving bytes. */
export function followAgent(start: (onOutput: (bytes: number) => void) => Child, key: string): ClaudeAgent {
  const questions = new Map<string, (answer: Fields | undefined) => void>();
  let listener: AgentListener | undefined;
  let exit: ChildExit | undefined;
  let stopped: Promise<void> | undefined;
  let isServed = false;
  const child = start((bytes) => listener?.received(bytes));

  const take = (text: string) => {
    const fields = parseLine(text);
    if (!fields) return listener?.garbage();
    if (fields.type === 'control_response') return settle(asFields(fields.response) ?? {});
    if (fields.type !== 'control_request') return listener?.line(fields);
    const [id, request] = [asText(fields.request_id), asFields(fields.request)];
    if (id === undefined || request === undefined) return;
    if (listener) listener.request(id, request);
    else void child.write(refusal(id));
  };
  const settle = (response: Fields) => {
    const id = asText(response.request_id) ?? '';
    const answer = questions.get(id);
    questions.delete(id);
    answer?.(response.subtype === 'success' ? (asFields(response.response) ?? {}) : undefined);
  };
  const pump = async () => {
    for await (const text of child.lines) take(text);
    exit = await child.exited;
    for (const answer of questions.values()) answer(undefined);
    questions.clear();
    listener?.ended(exit);
  };
  void pump();

  return {
    key,
    isGone: () => exit !== undefined,
    served: () => {
      isServed = true;
    },
    isServed: () => isServed,
    stderrTail: child.stderrTail,
    listen(next) {
      listener = next;
      if (exit) next.ended(exit);
      return () => {
        if (listener === next) listener = undefined;
      };
    },
    send: async (line) => (await child.write(line)).ok,
    ask(send) {
      const id = randomUUID();
      return new Promise((resolve, reject) => {
        if (exit) return resolve(undefined);
        questions.set(id, resolve);
        send(id).catch((error: unknown) => {
          questions.delete(id);
          reject(error);
        });
      });
    },
    stop(patienceMs) {
      stopped ??= (async () => {
        child.endInput();
        await soon(child.exited, patienceMs);
        await child.kill();
      })();
      return stopped;
    },
  };
}

/** Between turns nothing is granted and nothing of ours is said. */
const refusal = (id: string): string =>
  jsonLine({
    type: 'control_response',
    response: { subtype: 'error', request_id: id, error: 'No turn is running.' },
  });

async function soon(event: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([event, late]);
  clearTimeout(timer);
}
