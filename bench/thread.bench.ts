import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { memorySource, openFolder } from '@cuebook/files';
import { openVault } from '@cuebook/host';
import { createSigner, openStore, type RunId } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import { createApiProvider } from '@cuebook/provider';
import { openThreads } from '@cuebook/thread';
import { jsonSchema, type ModelMessage, streamText, type ToolSet, tool } from 'ai';

// A step of a thread (composed with every gate, journaled, its receipt signed) against the AI SDK called directly with
// the same messages and tools: the CPU of this process, with the model in another one. Both ask the same server.

// Kept out of the bundle: it starts threads from files of its own.
const define = '@cuebook/define';
const { openLiveProject } = (await import(/* @vite-ignore */ define)) as typeof import('@cuebook/define');

const TURNS = 20;
const ROUNDS = 5;
const TOOLS = 10;
/** Pieces that an answer is streamed in: about a token each, as models do; and two, where what a commit costs stands out. */
const PIECES = [150, 2];

/** Answers every request with the same words, as a stream, and tells what it was asked. */
const SERVER = `
const { createServer } = require('node:http');
createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => {
    if (request.url === '/last') { response.end(globalThis.last ?? ''); return; }
    if (request.url.startsWith('/pieces/')) { globalThis.pieces = Number(request.url.slice(8)); response.end(); return; }
    globalThis.last = body;
    response.setHeader('content-type', 'text/event-stream');
    const chunk = (delta, more = {}) => 'data: ' + JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...more }] }) + '\\n\\n';
    for (let at = 0; at < globalThis.pieces; at += 1) response.write(chunk({ role: 'assistant', content: 'some words ' }));
    response.write(chunk({}, { finish_reason: 'stop' }));
    response.end('data: ' + JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } }) + '\\n\\ndata: [DONE]\\n\\n');
  });
}).listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)); });
`;

const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
const port = await new Promise<string>((resolve) =>
  server.stdout.once('data', (data) => resolve(String(data))),
);
const baseURL = `http://127.0.0.1:${port}/v1`;
const folder = mkdtempSync(join(tmpdir(), 'bench-thread-'));

const question = (n: number): string =>
  `Question ${n}: what about the ${n}th lamp, and does it go with the others?`;
const SYSTEM =
  `You help in a shop that sells lamps. ${'Be kind, be brief, and name the lamp. '.repeat(20)}`.trim();
const toolNames = Array.from({ length: TOOLS }, (_, at) => `look_up_${at}`);

try {
  const own = await ownSteps();
  for (const pieces of PIECES) {
    await fetch(`http://127.0.0.1:${port}/pieces/${pieces}`);
    const [direct, ours] = await timed([directRound(), own.round]);
    if (ours.last !== direct.last) throw new Error('The two did not tell the model the same');
    report({ what: 'CPU', pieces, direct: direct.cpu, own: ours.cpu });
    report({ what: 'wall', pieces, direct: direct.wall, own: ours.wall });
  }
  await own.close();
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** Begins a conversation, and answers how its next step is taken. */
type Round = () => Promise<(n: number) => Promise<unknown>>;

interface Times {
  readonly cpu: number;
  readonly wall: number;
  /** The messages and tools of the last request. */
  readonly last: string;
}

/** The best of several interleaved rounds, per step: a busy machine disturbs both alike. */
async function timed(rounds: readonly [Round, Round]): Promise<readonly [Times, Times]> {
  const none: Times = { cpu: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY, last: '' };
  const best: [Times, Times] = [none, none];
  for (let at = 0; at <= ROUNDS; at += 1)
    for (const side of [0, 1] as const) {
      const step = await rounds[side]();
      globalThis.gc?.();
      const before = process.cpuUsage();
      const start = performance.now();
      for (let n = 0; n < TURNS; n += 1) await step(n);
      const { user, system } = process.cpuUsage(before);
      const wall = (performance.now() - start) / TURNS;
      // The first round is for warming up.
      if (at === 0) continue;
      const cpu = (user + system) / 1000 / TURNS;
      best[side] = {
        cpu: Math.min(best[side].cpu, cpu),
        wall: Math.min(best[side].wall, wall),
        last: await lastRequest(),
      };
    }
  return best;
}

async function lastRequest(): Promise<string> {
  const { messages, tools } = JSON.parse(await (await fetch(`http://127.0.0.1:${port}/last`)).text());
  const text = (content: unknown): unknown =>
    Array.isArray(content) ? content.map((part: { text?: string }) => part.text).join('') : content;
  return JSON.stringify([
    messages.map((each: { role: string; content: unknown }) => [each.role, text(each.content)]),
    tools.map((each: { function: { name: string; description: string } }) => [
      each.function.name,
      each.function.description,
    ]),
  ]);
}

function directRound(): Round {
  const model = createOpenAICompatible({ name: 'bench', baseURL, apiKey: 'k', includeUsage: true })('m');
  const parameters = jsonSchema({
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
    additionalProperties: false,
  });
  const tools: ToolSet = Object.fromEntries(
    toolNames.map((name) => [name, tool({ description: `Looks up ${name}`, inputSchema: parameters })]),
  );
  return async () => {
    const messages: ModelMessage[] = [];
    return async (n) => {
      messages.push({ role: 'user', content: question(n) });
      const result = streamText({ model, system: SYSTEM, messages: [...messages], tools, maxRetries: 0 });
      let text = '';
      for await (const piece of result.textStream) text += piece;
      messages.push({ role: 'assistant', content: text });
      await result.usage;
    };
  };
}

async function ownSteps(): Promise<{ readonly round: Round; readonly close: () => Promise<void> }> {
  const file = (kind: string, body: string): string =>
    `import { define${kind} } from '@cuebook/define';\nimport { z } from 'zod';\nexport default define${kind}({ ${body} });\n`;
  const source = memorySource({
    'agents/models/m.ts': file('Model', "name: 'm', provider: 'compatible', model: 'm'"),
    'agents/prompts/clerk.ts': file(
      'Prompt',
      `name: 'clerk', toolDescription: 'Helps', model: 'm', includeChat: true, prompt: ${JSON.stringify(SYSTEM)}, tools: ${JSON.stringify(toolNames)}`,
    ),
    'agents/agents/desk.ts': file('Agent', "name: 'desk', sideA: { prompt: 'clerk' }"),
    ...Object.fromEntries(
      toolNames.map((name) => [
        `agents/tools/${name}.ts`,
        file(
          'Tool',
          `description: 'Looks up ${name}', args: z.object({ what: z.string() }), execute: async () => ({ status: 'success' })`,
        ),
      ]),
    ),
  });
  const home = required(await openFolder(join(folder, 'home'), { create: true }));
  const store = required(await openStore({ file: join(folder, 'home', 'journal.db') }));
  const live = await openLiveProject(required(source));
  const provider = createApiProvider({ api: 'compatible', baseUrl: baseURL, apiKey: 'k', env: {} });
  const threads = required(
    await openThreads({
      live,
      store,
      signer: required(await createSigner(home)),
      vault: required(await openVault(home)),
      provider: () => ok(provider),
      context: { roots: [['@project', '/home/kim/desk']], private: ['/home/kim'], names: ['kim'] },
    }),
  );
  return {
    async round() {
      const run = `run_${randomUUID().replaceAll('-', '')}` as RunId;
      required(await threads.start({ run, agent: 'desk', budget: { turns: 10_000 } }));
      return async (n) => {
        required(await threads.say(run, { text: question(n) }));
        await threads.drain();
      };
    },
    async close() {
      await threads.close();
      await live.close();
      await store.close();
    },
  };
}

function required<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: object },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

interface Row {
  readonly what: string;
  readonly pieces: number;
  readonly direct: number;
  readonly own: number;
}

function report({ what, pieces, direct, own }: Row): void {
  console.log(
    `a step in a chat of ${TURNS} turns with ${TOOLS} tools and answers of ${pieces} pieces, ${what}, best of ${ROUNDS}`,
  );
  console.log(`  AI SDK, streamText   ${direct.toFixed(2).padStart(8)} ms`);
  console.log(
    `  a thread's step      ${own.toFixed(2).padStart(8)} ms  ${(own / direct).toFixed(2)} times (goal for CPU: at most 1.5)`,
  );
}
