import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Client, createClient, packTurn } from '@cuebook/api';
import { openStore, type RunId } from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { turnOf } from './web-turn.js';

// The app in a real browser against empty pages of the same libraries, in the same run. Ratios count: the times are
// those of a busy machine.

/** As it is built: what serves the page must stand beside it. */
const { startServer } = (await import(
  /* @vite-ignore */ pathToFileURL(join(process.cwd(), 'apps/server/dist/index.js')).href
)) as typeof import('@cuebook/server');

const ROUNDS = 5;
const NODES = 500;
/** As many as a team file may name; the others are added. */
const NAMED = 200;
let isMissed = false;

const root = mkdtempSync(join(tmpdir(), 'bench-web-'));
const pages = join(process.cwd(), '.cache', 'bench-pages');
mkdirSync(join(root, 'project'));
writeFileSync(join(root, 'project', 'cuebook.yaml'), '');
const leaks = { roots: [], private: [root], names: [] };
const started = await startServer({
  folder: join(root, 'project'),
  home: join(root, 'home'),
  env: { PATH: process.env.PATH, HOME: root },
  redactor: createRedactor(leaks),
  context: leaks,
  log: () => undefined,
});
if (!started.ok) throw new Error(started.error.message);
const server = started.value;
const client = createClient({ url: server.url, token: server.token });
const bare = await serveEmpty();
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
async function main(): Promise<void> {
  try {
    firstLoad();
    await interactive();
    await longPrompts();
    await graphs(client);
    await longRuns(client);
  } finally {
    await browser.close();
    bare.close();
    await server.close();
    rmSync(root, { recursive: true, force: true });
    rmSync(pages, { recursive: true, force: true });
  }
  process.exitCode = isMissed ? 1 : 0;
}

/** Where the checkout's own look-up found Chromium. */
function chromiumPath(): string {
  execFileSync(process.execPath, [join('scripts', 'parts', 'probe.mjs')]);
  const parts = JSON.parse(readFileSync(join('.cache', 'parts.json'), 'utf8')) as {
    readonly name: string;
    readonly path: string | null;
  }[];
  const path = parts.find(({ name }) => name === 'chromium')?.path;
  if (path == null) throw new Error('There is no Chromium on this machine.');
  return path;
}

function say(what: string, value: string, goal: string, isMet: boolean): void {
  console.log(`  ${what.padEnd(52)} ${value.padStart(18)}  (goal: ${goal})${isMet ? '' : '  MISSED'}`);
  if (!isMet) isMissed = true;
}

function firstLoad(): void {
  const folder = join(process.cwd(), 'apps/server/page');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = [
    'index.html',
    ...[...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file),
  ];
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  say('first load, compressed', `${(bytes / 1024).toFixed(0)} KB`, 'at most 220 KB', bytes <= 220 * 1024);
}

async function interactive(): Promise<void> {
  const load = (address: string, heading: RegExp) => async () => {
    const context = await browser.newContext(VIEWPORT);
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: heading }).waitFor();
    const ms = performance.now() - began;
    await context.close();
    return ms;
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const empty = await load(`${addressOf(bare)}/empty.html`, /Empty/)();
    ratios.push((await load(server.link, /Needs you/)()) / empty);
  }
  const times = middle(ratios);
  say('Needs you, of an empty React page', `${times.toFixed(2)} x`, 'at most 3 x', times <= 3);
}

async function longRuns(to: Client): Promise<void> {
  const open = async (events: number) => {
    const text = JSON.stringify({ nodes: [{ alias: 'a', role: 'planner', provider: 'rehearsal' }] });
    const begun = await to.startRun({ team: { text } });
    if (!begun.ok) throw new Error(begun.error.message);
    const { run } = begun.value;
    await append(run as RunId, events);
    return () =>
      timed(async (page) => {
        await page.goto(`${server.url}/#/runs/${run}`);
        await page.getByText(/Nothing was said yet/).waitFor();
      });
  };
  const short = await median(await open(1_000));
  const long = await median(await open(100_000));
  const times = long / short;
  say('a run of 100,000 events, of one of 1,000', `${times.toFixed(2)} x`, 'at most 3 x', times <= 3);
}

async function append(run: RunId, count: number): Promise<void> {
  const opened = await openStore({ file: join(root, 'home', 'journal.db') });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const before = (await store.head(run))?.seq ?? 0;
  for (let done = 0; done < count; done += 500) {
    const events = Array.from({ length: 500 }, (_, index) => ({
      type: 'node.woken',
      data: { node: 'node_1', words: `This is number ${done + index} of many, as long as most are.` },
    }));
    const command = `bench ${done}`;
    const written = await store.append({ run, command, target: 'bench', events, expectedSeq: before + done });
    if (!written.ok) throw new Error(written.error.code);
  }
  await store.close();
}

async function longPrompts(): Promise<void> {
  const measure = async (body: string) => {
    const page = await signedIn();
    await page.evaluate(`(${ANSWER})(${JSON.stringify(body)})`);
    const openMs = await workOf(page, () => page.evaluate(OPEN));
    const whyMs = Number(await page.evaluate(POINT));
    await page.context().close();
    return { openMs, whyMs };
  };
  const [small, large] = [bodyOf(4_000, 100), bodyOf(400_000, 10_000)];
  const rounds: { small: Opened; large: Opened }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({ small: await measure(small), large: await measure(large) });
  const frames = (of: 'openMs' | 'whyMs') =>
    middle(rounds.map(({ small, large }) => large[of] - small[of])) / FRAME_MS;
  for (const [what, of] of [
    ['opens', 'openMs'],
    ['answers why', 'whyMs'],
  ] as const)
    say(
      `a prompt of 400 KB and 10,000 spans ${what}, after 4 KB`,
      `${frames(of).toFixed(1)} frames`,
      'at most 2',
      frames(of) <= 2,
    );
}

/** The answer of the server for a turn of so many bytes and spans. */
const bodyOf = (bytes: number, spans: number): string => JSON.stringify(packTurn(turnOf(bytes, spans)));

interface Opened {
  readonly openMs: number;
  readonly whyMs: number;
}

const FRAME_MS = 1_000 / 60;

/** The page gets this turn at once: what it does with it is measured, not the way of the bytes. */
const ANSWER = `(body) => {
  const ask = window.fetch;
  window.fetch = async (address, options) => {
    if (!String(address).includes('/turns/t/')) return ask(address, options);
    return String(address).includes('/packed') ? new Response(body) : new Response('{}', { status: 404 });
  };
}`;

/** Goes to the prompt, and waits until its words are painted. */
const OPEN = `new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.words')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(resolve));
  }).observe(document.body, { childList: true, subtree: true });
  location.hash = '#/runs/run_x/turns/t';
})`;

/** How long the page's own thread works, in milliseconds of the processor: others on the machine do not count. */
async function workOf(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await worked();
  await work();
  return (await worked()) - before;
}

/** Moves the pointer over words, and answers how long it takes until their place is told. */
const POINT = `new Promise((resolve) => {
  const words = [...document.querySelectorAll('.words')].at(20);
  const panel = document.querySelector('.why');
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!panel.querySelector('[data-testid=place]')) return;
    observer.disconnect();
    resolve(performance.now() - began);
  }).observe(panel, { childList: true, subtree: true });
  words.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
})`;

async function graphs(to: Client): Promise<void> {
  const nodes = Array.from({ length: NAMED }, (_, at) => ({
    alias: `n${at}`,
    role: 'planner',
    provider: 'rehearsal',
  }));
  const edges = nodes.slice(1).map(({ alias }, at) => ({ from: `n${at >> 2}`, to: alias }));
  const begun = await to.startRun({
    team: { text: JSON.stringify({ mode: 'INTERACTIVE', nodes, edges, limits: { nodes: NODES } }) },
  });
  if (!begun.ok) throw new Error(begun.error.message);
  const { run } = begun.value;
  for (let at = NAMED; at < NODES; at += 1) {
    const alias = `n${at}`;
    const added = await to.addNode({ run, label: alias, alias, role: 'planner', provider: 'rehearsal' });
    if (!added.ok) throw new Error(added.error.message);
  }
  const full = await signedIn();
  await full.goto(`${server.url}/#/runs/${run}?view=graph`);
  await full.locator('.agent-box').first().waitFor({ state: 'attached' });
  const empty = await (await browser.newContext(VIEWPORT)).newPage();
  await empty.goto(`${addressOf(bare)}/canvas.html`);
  await empty.locator('.react-flow__pane').waitFor();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    ratios.push((await moveAround(full)) / (await moveAround(empty)));
  const ratio = middle(ratios);
  say(
    `${NODES} agents panned and zoomed, of an empty canvas`,
    `${ratio.toFixed(2)} x a frame`,
    'at most 1.2 x',
    ratio <= 1.2,
  );
}

/** The mean length of a frame while a canvas is zoomed in, dragged about and zoomed out. */
async function moveAround(page: Page): Promise<number> {
  const box = await page.locator('.react-flow__pane').boundingBox();
  if (box === null) throw new Error('no canvas');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate(
    'window.frames_ = []; (function count(at) { frames_.push(at); window.counting = requestAnimationFrame(count); })(performance.now())',
  );
  await page.mouse.move(x, y);
  for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, -120);
  await page.mouse.down();
  for (let step = 0; step < 30; step += 1) await page.mouse.move(x + step * 6, y + step * 3);
  await page.mouse.up();
  for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, 120);
  return Number(
    await page.evaluate(
      'cancelAnimationFrame(counting); (frames_.at(-1) - frames_[0]) / Math.max(1, frames_.length - 1)',
    ),
  );
}

const VIEWPORT = { viewport: { width: 1200, height: 900 } };

/** A page that has its token. */
async function signedIn(): Promise<Page> {
  const page = await (await browser.newContext(VIEWPORT)).newPage();
  await page.goto(server.link, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  return page;
}

/** How long something takes in a fresh tab. */
async function timed(work: (page: Page) => Promise<void>): Promise<number> {
  const page = await signedIn();
  const began = performance.now();
  await work(page);
  const ms = performance.now() - began;
  await page.context().close();
  return ms;
}

async function median(work: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await work());
  return middle(times);
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const addressOf = (of: Server): string => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

/** An empty React page and an empty canvas, built as the app is, served from here. */
async function serveEmpty(): Promise<Server> {
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages, { recursive: true });
  const html = (name: string) =>
    `<!doctype html><html><body><div id="root" style="height:700px"></div><script type="module" src="./${name}.js"></script></body></html>`;
  const start = "import { createRoot } from 'react-dom/client'; import { createElement } from 'react';";
  writeFileSync(join(pages, 'empty.html'), html('empty'));
  writeFileSync(
    join(pages, 'empty.js'),
    `${start} createRoot(document.getElementById('root')).render(createElement('h1', null, 'Empty'));`,
  );
  writeFileSync(join(pages, 'canvas.html'), html('canvas'));
  writeFileSync(
    join(pages, 'canvas.js'),
    `${start} import { ReactFlow, Background } from '@xyflow/react'; import '@xyflow/react/dist/base.css'; createRoot(document.getElementById('root')).render(createElement(ReactFlow, { nodes: [], edges: [], minZoom: 0.05 }, createElement(Background)));`,
  );
  const out = join(pages, 'out');
  const input = ['empty', 'canvas'].map((name) => join(pages, `${name}.html`));
  await build({
    configFile: false,
    root: pages,
    logLevel: 'error',
    build: { outDir: out, rolldownOptions: { input } },
  });
  const listening = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const type = /\.js$/.test(path) ? 'text/javascript' : /\.css$/.test(path) ? 'text/css' : 'text/html';
    const file = join(out, path);
    if (path === '/' || !existsSync(file)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return listening;
}

await main();
