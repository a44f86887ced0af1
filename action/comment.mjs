#!/usr/bin/env node
// Writes the report as the one comment of a pull request that holds our marker: the comment that is there is changed.
// Where nothing changed and there is none, none is written.

import { readFileSync } from 'node:fs';

const { env } = process;
const MARKER = '<!-- cuebook -->';
const PAGE = 100;

process.exitCode = await main();

async function main() {
  const { CUEBOOK_CI_PULL: pull, CUEBOOK_CI_COMMENT: file, GITHUB_REPOSITORY: repository } = env;
  if (!pull) return done('This is no pull request: nothing is written.');
  if (!/^\d+$/u.test(pull) || !/^[\w.-]+\/[\w.-]+$/u.test(repository ?? '') || !file)
    return fail(2, 'The pull request, the repository or the file of the comment is not named.');
  const comments = `/repos/${repository}/issues/${pull}/comments`;
  const known = await findOwn(comments);
  if (known === undefined && env.CUEBOOK_CI_CHANGED !== 'true')
    return done('No prompt changes: nothing is written.');
  const [method, path] =
    known === undefined ? ['POST', comments] : ['PATCH', `/repos/${repository}/issues/comments/${known}`];
  await ask(method, path, { body: readFileSync(file, 'utf8') });
  return done(known === undefined ? 'The comment is written.' : 'The comment is up to date.');
}

/** The comment that holds the marker at its beginning, written by a program: a person may quote it. */
async function findOwn(path) {
  for (let page = 1; ; page += 1) {
    const found = await ask('GET', `${path}?per_page=${PAGE}&page=${page}`);
    const own = found.find(({ body, user }) => user?.type === 'Bot' && body?.startsWith(MARKER));
    if (own !== undefined) return own.id;
    if (found.length < PAGE) return undefined;
  }
}

async function ask(method, path, body) {
  const answer = await fetch(`${env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) {
    const hint =
      answer.status === 403 ? ' A pull request of a fork may not write: see the page on CI for the way.' : '';
    console.error(`${method} ${path}: ${answer.status}.${hint}`);
    process.exit(1);
  }
  return answer.json();
}

function done(message) {
  console.log(message);
  return 0;
}

function fail(exit, message) {
  console.error(message);
  return exit;
}
