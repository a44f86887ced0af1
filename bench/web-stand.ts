import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRedactor } from '@cuebook/prompt';
import { type Browser, chromium, type Page } from 'playwright-core';

/** As it is built: what serves the page must stand beside it. */
const { startServer } = (await import(
  /* @vite-ignore */ pathToFileURL(join(process.cwd(), 'apps/server/dist/index.js')).href
)) as typeof import('@cuebook/server');

export const VIEWPORT = { viewport: { width: 1200, height: 900 } };

/** An empty project and its home, in a folder that goes at the end. */
export interface Ground {
  readonly root: string;
  readonly home: string;
  readonly folder: string;
  remove(): void;
}

export function newGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), 'bench-web-'));
  const folder = join(root, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'cuebook.yaml'), '');
  const remove = () => rmSync(root, { recursive: true, force: true });
  return { root, folder, home: join(root, 'home'), remove };
}

/** A server over it, as `cuebook up` starts it. */
export async function serve({ root, folder, home }: Ground) {
  const context = { roots: [], private: [root], names: [] };
  const started = await startServer({
    ...{ folder, home, context, redactor: createRedactor(context) },
    env: { PATH: process.env.PATH, HOME: root },
    log: () => undefined,
  });
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
}

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

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

/** A page of a fresh tab that has its token. */
export async function signedIn(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext(VIEWPORT)).newPage();
  await page.goto(link, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  return page;
}

/** Prints a number beside its goal. The process ends with 1 when one is missed. */
export function say(what: string, value: string, goal: string, isMet: boolean): void {
  console.log(`  ${what.padEnd(56)} ${value.padStart(18)}  (goal: ${goal})${isMet ? '' : '  MISSED'}`);
  if (!isMet) process.exitCode = 1;
}

export const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
