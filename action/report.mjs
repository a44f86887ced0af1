#!/usr/bin/env node
// Checks the prompts of a project, tells what changed in them since a git revision, and on request measures what the
// change does. Reads its settings from the environment (see README.md), needs no network, and runs in any CI.
// Exit code: 0 done; 1 the check found errors, or the comparison says `worse`; 2 a setting is wrong; 3 something is missing.

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { annotationsOf } from './annotations.mjs';

/** The comment is found again by this. */
const MARKER = '<!-- cuebook -->';
/** A comment of GitHub holds 65,536 characters. */
const MOST_CHARACTERS = 65_000;
/** Bytes of one answer of the command. */
const MOST_OUTPUT = 256 * 1024 * 1024;

const TOO_LONG = 'The report does not fit into a comment: it is in the files of this run.\n';
const NONE = { verdict: 'none' };

const { env } = process;
process.exitCode = main();

function main() {
  const project = resolve(env.CUEBOOK_CI_PROJECT || '.');
  const [program, ...args] = (env.CUEBOOK_CI_COMMAND || 'npx --no-install cuebook').trim().split(/\s+/);
  const cuebook = (...more) =>
    spawnSync(program, [...args, ...more], { cwd: project, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  const folder = resolve(project, env.CUEBOOK_CI_OUTPUT || '.cuebook-report');
  const sarif = join(folder, 'sarif');
  mkdirSync(sarif, { recursive: true });
  // What is written here is not for the repository.
  writeFileSync(join(folder, '.gitignore'), '*\n');

  const base = baseCommit(project);
  if (base.error !== undefined) return fail(base.exit, base.error);

  const checked = cuebook('check', '--sarif');
  if (checked.error) return fail(3, `${program} cannot be started: ${checked.error.message}`);
  const log = readJson(checked.stdout);
  if (log?.runs === undefined) return fail(checked.status || 3, `check: ${checked.stderr || checked.stdout}`);
  writeFileSync(join(sarif, 'check.sarif'), checked.stdout);
  for (const line of annotationsOf(log)) console.log(line);

  const diffFile = join(folder, 'diff.md');
  const diffed = cuebook('diff', '--base', base.commit, '--md', diffFile, '--json');
  const diff = readJson(diffed.stdout);
  if (typeof diff?.same !== 'boolean') return fail(diffed.status || 3, `diff: ${told(diffed)}`);
  writeFileSync(join(folder, 'diff.json'), diffed.stdout);

  const compared =
    env.CUEBOOK_CI_COMPARE === 'true' ? compare(cuebook, base.commit, { folder, sarif }) : NONE;
  if (compared.error !== undefined) return fail(compared.exit, compared.error);

  const comment = join(folder, 'comment.md');
  const words = readFileSync(compared.file ?? diffFile, 'utf8');
  writeFileSync(comment, commentOf(checked.status, log, words, compared.note));
  output('changed', String(!diff.same));
  output('verdict', compared.verdict);
  output('comment', comment);
  output('sarif', sarif);
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, readFileSync(comment));
  console.log(`The report is in ${relative(process.cwd(), folder) || '.'}.`);
  return checked.status !== 0 || compared.verdict === 'worse' || compared.isFailed ? 1 : 0;
}

/** The commit that both sides have in common: what others changed on the base since then is not this change. */
function baseCommit(project) {
  const named = env.CUEBOOK_CI_BASE;
  if (!named)
    return { exit: 2, error: 'CUEBOOK_CI_BASE names no revision to compare with, such as origin/main.' };
  if (named.startsWith('-')) return { exit: 2, error: 'A revision does not start with a dash.' };
  const git = (...args) => spawnSync('git', args, { cwd: project, encoding: 'utf8' });
  const found = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${named}^{commit}`);
  if (found.error) return { exit: 3, error: 'git cannot be started.' };
  if (found.status !== 0)
    return {
      exit: 3,
      error: `There is no commit ${named} here. A shallow checkout has none: use fetch-depth: 0.`,
    };
  const shared = git('merge-base', found.stdout.trim(), 'HEAD');
  if (shared.status !== 0)
    return {
      exit: 3,
      error: `${named} and HEAD share no commit here. A shallow checkout has too few: use fetch-depth: 0.`,
    };
  return { commit: shared.stdout.trim() };
}

/** Runs the eval cases under both. Cases whose words are the same are no failure. */
function compare(cuebook, base, { folder, sarif }) {
  const more = (env.CUEBOOK_CI_COMPARE_ARGS || '').split('\n').map((line) => line.trim());
  const file = join(folder, 'compare.md');
  const files = ['--md', file, '--sarif', join(sarif, 'compare.sarif'), '--json'];
  const asked = cuebook('compare', '--base', base, ...more.filter((line) => line !== ''), ...files);
  const answer = readJson(asked.stdout);
  if (answer?.error?.code === 'E_COMPARE_SAME')
    return { verdict: 'none', note: 'No case of the evals gets other words.' };
  if (answer?.verdict === undefined) return { exit: asked.status || 3, error: `compare: ${told(asked)}` };
  writeFileSync(join(folder, 'compare.json'), asked.stdout);
  return { verdict: answer.verdict, file, isFailed: asked.status !== 0 };
}

function commentOf(status, log, words, note) {
  const levels = log.runs.flatMap(({ results }) => results.map(({ level }) => level));
  const [errors, warnings] = ['error', 'warning'].map(
    (level) => levels.filter((each) => each === level).length,
  );
  const head = `${status === 0 ? 'Check passed' : '**Check failed**'}: ${errors} errors, ${warnings} warnings.`;
  const parts = [MARKER, '## Prompts', '', head, ...(note === undefined ? [] : ['', note]), '', words];
  const whole = parts.join('\n');
  return whole.length <= MOST_CHARACTERS ? whole : [...parts.slice(0, -1), TOO_LONG].join('\n');
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a command said of its failure. */
function told({ stdout, stderr, status }) {
  const { error, diagnostics = [] } = readJson(stdout) ?? {};
  const lines = [error, ...diagnostics].filter(Boolean).map(({ code, message }) => `${code} ${message}`);
  return lines.join('\n') || stderr || `exit code ${status}`;
}

function fail(exit, message) {
  console.error(message.trim());
  return exit;
}

function output(name, value) {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value.replaceAll('\n', ' ')}\n`);
}
