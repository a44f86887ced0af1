import type { Page } from 'playwright-core';
import { seedPrompt, seedRun } from './web-seed.js';
import { launch, middle, newGround, say, serve, signedIn } from './web-stand.js';

// How long it takes to open long runs and long prompts in a real browser over the real server, beside short ones. Small
// and large take turns; ratios and frames count, the times are those of a busy machine.

const ROUNDS = 5;
const FRAME_MS = 1_000 / 60;
/** Fewer for a quick look: `WEB_OPEN_BENCH=500,5000`. `SHOW=1` prints every round. */
const [SHORT = 1_000, LONG = 100_000] = (process.env.WEB_OPEN_BENCH ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);
const LARGE = { bytes: 400_000, spans: 10_000 };
const SMALL = { bytes: 4_000, spans: 100 };

const ground = newGround();
const browser = await launch();

async function main(): Promise<void> {
  try {
    const runs = await seed();
    await openRuns(runs);
    await openPrompts(runs.short);
  } finally {
    await browser.close();
    ground.remove();
  }
}

async function seed(): Promise<{ readonly short: string; readonly long: string }> {
  const began = performance.now();
  const short = await seedRun(ground, SHORT);
  const long = await seedRun(ground, LONG);
  await seedPrompt(ground, { run: short, turn: 'turn_small', ...SMALL });
  await seedPrompt(ground, { run: short, turn: 'turn_large', ...LARGE });
  console.log(`  written in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return { short, long };
}

/** Each is opened by a server that has just begun, and then again. */
async function openRuns({ short, long }: { readonly short: string; readonly long: string }): Promise<void> {
  const rounds: { readonly first: number; readonly again: number; readonly ms: readonly number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [less, more] = [await openRun(short), await openRun(long)];
    rounds.push({
      first: more.first / less.first,
      again: more.again / less.again,
      ms: [less.first, more.first, less.again, more.again],
    });
  }
  if (process.env.SHOW)
    console.log(rounds.map(({ ms }) => ms.map((each) => each.toFixed(0)).join(' ')).join('\n'));
  const what = `a run of ${LONG} events, of one of ${SHORT}`;
  for (const [when, times] of [
    ['first', middle(rounds.map(({ first }) => first))],
    ['again', middle(rounds.map(({ again }) => again))],
  ] as const)
    say(`${what}, ${when}`, `${times.toFixed(2)} x`, 'at most 3 x', times <= 3);
}

async function openRun(run: string): Promise<{ readonly first: number; readonly again: number }> {
  const server = await serve(ground);
  const open = async () => {
    const page = await signedIn(browser, server.link);
    const ms = await timed(page, `#/runs/${run}`, '.note, .turn');
    await page.context().close();
    return ms;
  };
  const first = await open();
  const again = await open();
  await server.close();
  return { first, again };
}

/** From the change of the address until what is looked for is painted, by the page's own clock. */
const timed = async (page: Page, address: string, selector: string): Promise<number> =>
  Number(await page.evaluate(`(${UNTIL})(${JSON.stringify(address)}, ${JSON.stringify(selector)})`));

const UNTIL = `(address, selector) => new Promise((resolve) => {
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  }).observe(document.body, { childList: true, subtree: true });
  location.hash = address;
})`;

async function openPrompts(run: string): Promise<void> {
  const server = await serve(ground);
  const measure = async (turn: string) => {
    const page = await signedIn(browser, server.link);
    const openMs = await timed(page, `#/runs/${run}/turns/${turn}`, '.words');
    const whyMs = Number(await page.evaluate(POINT));
    await page.context().close();
    return { openMs, whyMs };
  };
  const rounds: { readonly small: Opened; readonly large: Opened }[] = [];
  // A frame is far less than what one opening differs from the next on a busy machine.
  for (let round = 0; round < ROUNDS * 6; round += 1)
    rounds.push({ small: await measure('turn_small'), large: await measure('turn_large') });
  await server.close();
  if (process.env.SHOW) console.log(JSON.stringify(rounds));
  for (const [what, of] of [
    ['opens', 'openMs'],
    ['answers why', 'whyMs'],
  ] as const) {
    const frames = middle(rounds.map(({ small, large }) => large[of] - small[of])) / FRAME_MS;
    const title = `a prompt of 400 KB and 10,000 spans ${what}, after 4 KB`;
    say(title, `${frames.toFixed(1)} frames`, 'at most 2', frames <= 2);
  }
}

interface Opened {
  readonly openMs: number;
  readonly whyMs: number;
}

/** Moves the pointer over words, and answers how long it takes until their place is painted. */
const POINT = `new Promise((resolve) => {
  const words = [...document.querySelectorAll('.words')].at(20);
  const panel = document.querySelector('.why');
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!panel.querySelector('[data-testid=place]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  }).observe(panel, { childList: true, subtree: true });
  words.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
})`;

await main();
