import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Client, createClient } from '@cuebook/api';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { launch, middle, newGround, say, serve, signedIn, VIEWPORT } from './web-stand.js';

// The app in a real browser against empty pages of the same libraries, in the same run. Ratios count: the times are
// those of a busy machine.

const ROUNDS = 5;
const NODES = 500;
/** As many as a team file may name; the others are added. */
const NAMED = 200;

const ground = newGround();
const pages = join(process.cwd(), '.cache', 'bench-pages');
const server = await serve(ground);
const client = createClient({ url: server.url, token: server.token });
const bare = await serveEmpty();
const browser = await launch();
async function main(): Promise<void> {
  try {
    firstLoad();
    await interactive();
    await graphs(client);
  } finally {
    await browser.close();
    bare.close();
    await server.close();
    ground.remove();
    rmSync(pages, { recursive: true, force: true });
  }
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
  const full = await signedIn(browser, server.link);
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
