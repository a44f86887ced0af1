import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { BIN, cuebook } from './cuebook.js';

/** The protocol's own client with `cuebook acp` behind it. */
export interface Editor {
  readonly agent: ClientConnection['agent'];
  /** All updates so far, in order. */
  readonly updates: SessionUpdate[];
  /** All permissions that were asked for. */
  readonly asked: RequestPermissionRequest[];
  /** Resolves when something fits, looked at with each update and permission. */
  readonly until: (fits: () => boolean) => Promise<void>;
  /** Begins a session in a folder. */
  readonly begin: (cwd: string) => Promise<string>;
  readonly say: (sessionId: string, text: string) => Promise<PromptEnd>;
  /** Ends the input, and waits for the end of the command: its exit code. */
  readonly leave: () => Promise<number>;
}

export interface PromptEnd {
  readonly stopReason: string;
  readonly _meta?: { readonly [key: string]: unknown } | null;
}

export interface EditorOptions {
  readonly permit?: (
    request: RequestPermissionRequest,
  ) => Promise<RequestPermissionResponse> | RequestPermissionResponse;
}

/** A person who chooses one option always. */
export const choose = (optionId: string) => (): RequestPermissionResponse => ({
  outcome: { outcome: 'selected', optionId },
});

/** A person who never answers. */
export const silent = (): Promise<never> => new Promise(() => undefined);

interface Streams {
  readonly input: NodeJS.WritableStream & Writable;
  readonly output: Readable;
  readonly ended: Promise<number>;
}

/** In a process of its own, as editors start it. */
export async function startEditor(
  args: readonly string[],
  options: EditorOptions = {},
): Promise<Editor & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [BIN, 'acp', ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit').then(([code]) => Number(code ?? -1));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const editor = await connect({ input: child.stdin, output: child.stdout, ended: exited }, options);
  return { ...editor, child };
}

/** In this process, from source. */
export async function openEditor(
  args: readonly string[],
  options: EditorOptions & { readonly cwd: string },
): Promise<Editor> {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  let told = 0;
  const ended = cuebook(['acp', ...args], {
    cwd: options.cwd,
    stdin: input,
    stop: stop.signal,
    onPrint: (printed) => {
      output.write(printed.slice(told));
      told = printed.length;
    },
  }).then(({ code }) => {
    output.end();
    return code;
  });
  onTestFinished(async () => {
    stop.abort();
    input.end();
    await ended;
  });
  return connect({ input, output, ended }, options);
}

async function connect(
  { input, output, ended }: Streams,
  { permit = choose('deny') }: EditorOptions,
): Promise<Editor> {
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const waiting = new Set<() => void>();
  const poke = (): void => {
    for (const each of waiting) each();
  };
  const { agent } = client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => {
      updates.push(params.update);
      poke();
    })
    .onRequest('session/request_permission', async ({ params }) => {
      asked.push(params);
      poke();
      return permit(params);
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(input) as WritableStream<Uint8Array>,
        Readable.toWeb(output) as ReadableStream<Uint8Array>,
      ),
    );
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return {
    ...{ agent, updates, asked },
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!fits()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    begin: async (cwd) => (await agent.request('session/new', { cwd, mcpServers: [] })).sessionId,
    say: (sessionId, text) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    leave() {
      input.end();
      return ended;
    },
  };
}

/** What was said, as a client shows it that shows words and nothing else. */
export const spoken = (
  updates: readonly SessionUpdate[],
  kind: 'agent_message_chunk' | 'user_message_chunk' | 'agent_thought_chunk' = 'agent_message_chunk',
): string =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === kind && update.content.type === 'text' ? [update.content.text] : [],
    )
    .join('');

/** Each call by its title, with its last status. */
export function calls(updates: readonly SessionUpdate[]): Readonly<Record<string, string>> {
  const titles = new Map<string, string>();
  const statuses = new Map<string, string>();
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call') titles.set(update.toolCallId, update.title);
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    if (update.status) statuses.set(update.toolCallId, update.status);
  }
  return Object.fromEntries([...titles].map(([id, title]) => [title, statuses.get(id) ?? '']));
}

/** The last plan. */
export const plan = (updates: readonly SessionUpdate[]): readonly string[] =>
  updates
    .flatMap((update) => (update.sessionUpdate === 'plan' ? [update.entries] : []))
    .at(-1)
    ?.map(({ content, status }) => `${status} ${content}`) ?? [];

/** An agent whose tool `pay` a person allows, and `look` nobody is asked about. */
export const CASHIER: Readonly<Record<string, string>> = {
  'agents/models/everyday.ts': `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'everyday', provider: 'rehearsal', model: 'scripted-1' });
`,
  'agents/tools/pay.ts': `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Pays', approval: 'always', args: z.object({ to: z.string() }),
  execute: async (_state, { to }) => ({ status: 'success', result: \`paid \${to}\` }),
});
`,
  'agents/tools/look.ts': `import { defineTool } from '@cuebook/define';
export default defineTool({ description: 'Looks', execute: async () => ({ status: 'success', result: 'seen' }) });
`,
  'agents/prompts/cashier.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({ name: 'cashier', toolDescription: 'Pays bills', model: 'everyday', prompt: 'You pay bills.', tools: ['pay', 'look'] });
`,
  'agents/agents/cashier.ts': `import { defineAgent } from '@cuebook/define';
export default defineAgent({ name: 'cashier', sideA: { prompt: 'cashier' } });
`,
};
