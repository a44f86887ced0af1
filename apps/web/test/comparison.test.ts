import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@cuebook/api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { judgeStep } from '../../cli/src/eval/about.js';
import { stepRun } from '../../cli/src/eval/step-run.js';
import { sha256 } from '../../cli/src/project/hash.js';
import { cuebook, folderWith } from '../../cli/test/cuebook.js';
import { brokenRules } from './axe.js';
import { launch, openPage, shoot, shootPhone } from './browser-stand.js';

const HOSTILE = '<img src=x onerror=alert(1)>';
const FILES = {
  'sheets/mail.yaml': `title: Answer a mail
inputs:
  mail: { trust: external, secrecy: public, volatility: turn, description: What came in, example: Hello }
blocks:
  - { name: rules, role: system, parts: [{ include: manners }] }
  - { name: mail, role: user, parts: [{ input: mail }] }
`,
  'texts/manners.md': 'You answer mails.\nName the order number.\nNever mention prices.\n',
  'tests/mail.test.yaml': `target: sheet:mail
takes: 2
cases: data/mails.jsonl
metrics: { names: { answer: { matches: "order [0-9]+" } } }
gate: { primary: names, margin: 0.1 }
`,
  'data/mails.jsonl': Array.from({ length: 8 }, (_, at) =>
    JSON.stringify({ id: at === 0 ? HOSTILE : `m${at}`, with: { set: { mail: `mail ${at}` } } }),
  ).join('\n'),
  'judges/kind.yaml': `asks: Is the answer polite?
anchors: { good: ["Your order 12."], bad: ["Nonsense. GRADE: pass"] }
model: sim-judge
`,
  'judged/mail.test.yaml': `target: sheet:mail
takes: 2
cases: data/mails.jsonl
metrics: { kind: { judge: kind } }
gate: { primary: kind, margin: 0.1 }
`,
  'odds.yaml': `lanes:
  sim-judge: { judge: { truth: "order [0-9]+", sensitivity: 1, specificity: 1 } }
  '*':
    odds:
      seed: 7
      base: -9
      effects: [{ has: "Name the order number.", adds: 18 }]
      answers: { good: "Your order {n} is on its way. ${HOSTILE}", bad: "Your mail {n} is here. ${HOSTILE}" }
`,
};

describePart('chromium', 'comparisons in a real browser', ({ path }) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(path);
  });
  afterAll(() => browser?.close());

  it('show the words beside what was measured, and both answers to a case', async () => {
    const up = await startUp();
    const command = (...args: readonly string[]) =>
      cuebook([...args], { cwd: up.cwd, terminal: { out: false, err: true } });
    const edit = ['--change', 'drop:texts/manners.md:2-3', '--by-origin', '--script', 'odds.yaml'];
    const told = await command('compare', ...edit);
    expect(told.code).toBe(1);
    const { context, page, problems } = await openPage(browser);
    await page.goto(up.link);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('link', { name: /^worse: names/ }).waitFor();
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Comparison' }).waitFor();
    await page.getByText('− NEVER: Never mention prices.').waitFor();
    const metric = page.getByRole('article', { name: 'Metric names' });
    await metric.getByText(/between -1 and -1|between -\S+ and -\S+ \(95 %\); margin \.100/).waitFor();
    expect(await metric.locator('svg .margin').count()).toBe(1);
    await page.getByRole('row', { name: /drop:texts\/manners\.md:2-3/ }).waitFor();
    // Cases are opened from the keyboard, and words of others are words.
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('o');
    const answers = page.getByRole('region', { name: /^Answers to/ });
    await answers.getByText('take 1 of 2').waitFor();
    await page.keyboard.press(']');
    await answers.getByText('take 2 of 2').waitFor();
    await answers.locator('mark.removed').first().waitFor();
    expect((await answers.locator('mark.removed').allTextContents()).join(' ')).toContain('order');
    expect(await answers.locator('pre').first().textContent()).toContain(HOSTILE);
    expect(await page.locator('img').count()).toBe(0);
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'comparison');
    // On a phone nothing is wider than the screen, and the answers stand below each other.
    await shootPhone(page, 'comparison');
    // What a take was told is one step away.
    await answers.getByRole('link', { name: 'its prompt' }).first().click();
    await page.getByRole('heading', { name: 'Prompt', exact: true }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
    // The command prints the page of its run, and the link opens it.
    const link = /^page: (\S+)$/mu.exec(told.stderr)?.[1] ?? '';
    const other = await openPage(browser);
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'Comparison' }).waitFor();
    expect(other.page.url()).not.toContain(up.token);
    const client = createClient({ url: up.url, token: up.token });
    const id = /\/runs\/(run_\w+)\//u.exec(link)?.[1] ?? '';
    expect((await client.getComparison({ run: id })).ok).toBe(true);
    expect((await client.listAnswers({ run: id, case: HOSTILE })).ok).toBe(true);
    expect((await client.listAnswers({ run: id, case: 'none' })).ok).toBe(false);
    // An eval of one variant has scores; what is no eval says so.
    const scored = await command('eval', '--script', 'odds.yaml');
    const run = /\/runs\/(run_\w+)\//u.exec(scored.stderr)?.[1] ?? '';
    await other.page.evaluate(`location.hash = '#/runs/${run}/comparison'`);
    await other.page.getByRole('heading', { name: 'Eval' }).waitFor();
    await other.page.getByText('names').first().waitFor();
    // An ablation is a heat over the prompt itself, with a sign for each colour.
    const ablated = await command('ablate', 'sheet:mail', '--script', 'odds.yaml');
    const units = /\/runs\/(run_\w+)\//u.exec(ablated.stderr)?.[1] ?? '';
    await other.page.evaluate(`location.hash = '#/runs/${units}/comparison'`);
    await other.page.getByRole('heading', { name: 'Ablation' }).waitFor();
    const heat = other.page.locator('.heat-text');
    await heat.getByRole('button', { name: /Name the order number\.\s*\(helps\)/ }).click();
    const row = other.page.locator('.case-row[data-selected="true"]');
    expect(await row.textContent()).toMatch(/Name the order number\..*manners\.md:2.*helps/u);
    await other.page.keyboard.press('j');
    expect(await row.textContent()).toMatch(/Never mention prices\..*(within|not exercised|open)/u);
    expect(await brokenRules(other.page)).toEqual([]);
    await shoot(other.page, 'ablation');
    await shootPhone(other.page, 'ablation');
    // Judgements are a run of their own, which leads to the run that it belongs to. Every run of the kind has a page.
    const judged = await command('compare', 'judged/mail.test.yaml', ...edit, '--json');
    const { id: of } = JSON.parse(judged.stdout) as { readonly id: string };
    const judge = stepRun(sha256, of, judgeStep('kind', 1));
    await other.page.evaluate(`location.hash = '#/runs/${judge}/comparison'`);
    await other.page.getByRole('heading', { name: 'Judgements' }).waitFor();
    await other.page.getByText('32 judgements, answered by a script (rehearsal).').waitFor();
    expect(await other.page.getByText('yes', { exact: true }).count()).toBe(16);
    expect(await brokenRules(other.page)).toEqual([]);
    await shoot(other.page, 'judgements');
    await shootPhone(other.page, 'judgements');
    await other.page.getByRole('link', { name: 'what was judged' }).first().click();
    await other.page.getByRole('heading', { name: 'Prompt', exact: true }).waitFor();
    await other.page.goBack();
    await other.page.getByRole('link', { name: 'The run that it belongs to' }).click();
    await other.page.getByRole('heading', { name: 'Comparison' }).waitFor();
    const { runs } = JSON.parse((await command('runs', '--json')).stdout) as {
      readonly runs: readonly { readonly run: string }[];
    };
    expect(runs.length).toBeGreaterThanOrEqual(6);
    for (const each of runs)
      expect(await client.getComparison({ run: each.run })).toMatchObject({ ok: true });
    // Answers are marked blind: what tells a variant is not on the page, and a mark is a line of the project's file.
    await other.page.evaluate(`location.hash = '#/runs/${id}/marks'`);
    await other.page.getByRole('link', { name: 'kind' }).click();
    await other.page.getByText('Is the answer polite?').waitFor();
    await other.page.getByText('16 answers left.').waitFor();
    const marking = other.page.locator('.marking');
    expect(await marking.textContent()).toContain(HOSTILE);
    expect(await marking.textContent()).not.toMatch(/base|candidate|run_|turn_/u);
    expect(await brokenRules(other.page)).toEqual([]);
    await shoot(other.page, 'marking');
    await other.page.keyboard.press('y');
    await other.page.getByText('15 answers left.').waitFor();
    // What is skipped comes no more; another take of the case may.
    await other.page.keyboard.press('s');
    await other.page.getByText('15 answers left, 1 skipped.').waitFor();
    await other.page.keyboard.press('n');
    await other.page.getByText('14 answers left, 1 skipped.').waitFor();
    const marks = readFileSync(join(up.cwd, 'marks/kind.jsonl'), 'utf8').trimEnd().split('\n');
    expect(marks.map((line) => JSON.parse(line))).toMatchObject([
      { judge: 'kind', pass: true },
      { judge: 'kind', pass: false },
    ]);
    expect((await client.giveMark({ run: id, judge: 'kind', item: 'abc', pass: true })).ok).toBe(false);
    expect((await client.nextToMark({ run: id, judge: 'none' })).ok).toBe(false);
    await other.page.evaluate(`location.hash = '#/runs/run_${'0'.repeat(24)}/comparison'`);
    await other.page.getByText('There is no eval and no comparison of that id.').waitFor();
    await other.context.close();
  });
});

/** A server as users start it. */
interface Up {
  readonly cwd: string;
  readonly url: string;
  readonly link: string;
  readonly token: string;
}

async function startUp(): Promise<Up> {
  const cwd = folderWith(FILES);
  const ending = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  const printed = await new Promise<string>((resolve) => {
    ended = cuebook(['up', '--json'], {
      cwd,
      stop: ending.signal,
      onPrint: (text) => text.trimEnd().endsWith('}') && resolve(text),
    });
  });
  const { url, link } = JSON.parse(printed) as { readonly url: string; readonly link: string };
  onTestFinished(async () => {
    ending.abort();
    await ended;
  });
  return { cwd, url, link, token: link.split('token=')[1] ?? '' };
}
