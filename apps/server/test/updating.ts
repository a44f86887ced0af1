import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@cuebook/api';
import { onTestFinished } from 'vitest';
import { type Machine, machine, must } from './machines.js';

/** A kind of run, the edit of a source that each turn of it is told, and an edit that takes away what it is at. */
export interface UpdatedKind {
  readonly target: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly lacking: readonly [file: string, change: (text: string) => string];
}

const WORKFLOW = 'workflows/hb';

/** Every kind of run that can be moved, with its sources in `PROJECT`. */
export const UPDATED_KINDS: readonly UpdatedKind[] = [
  {
    target: 'agent:desk',
    file: 'agents/prompts/clerk.ts',
    from: 'I am clerk.',
    to: 'I am the other clerk.',
    lacking: ['agents/agents/desk.ts', (text) => text.replace("name: 'desk'", "name: 'counter'")],
  },
  {
    target: 'prompt:clerk',
    file: 'agents/prompts/clerk.ts',
    from: 'I am clerk.',
    to: 'I am the other clerk.',
    lacking: ['agents/prompts/clerk.ts', (text) => text.replace("name: 'clerk'", "name: 'teller'")],
  },
  {
    target: `workflow:${WORKFLOW}`,
    file: `${WORKFLOW}/agents.json`,
    from: 'Role of sm',
    to: 'Office of sm',
    lacking: [`${WORKFLOW}/bmad.json`, (text) => text.replace('hb-package', 'another')],
  },
  {
    target: 'team:team.yaml',
    file: 'team.yaml',
    from: 'goal: Work.',
    to: 'goal: Labour.',
    lacking: ['team.yaml', (text) => text.replace('alias: lead', 'alias: chief')],
  },
];

/** Runs git in a folder, as somebody. */
export const gitIn =
  (cwd: string) =>
  (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim();

export const projectOf = ({ root }: Pick<Machine, 'root'>): string => join(root, 'project');

/** A machine whose project is a repository, with a place that all machines reach for commits and the work of teams. */
export function firstClone(databaseUrl: string, files: Readonly<Record<string, string>> = {}): Machine {
  const shared = mkdtempSync(join(tmpdir(), 'workspaces-'));
  onTestFinished(() => rmSync(shared, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  execFileSync('git', ['init', '--quiet', '--bare', shared]);
  const first = machine(databaseUrl, undefined, files, { CUEBOOK_WORKSPACES: shared });
  const git = gitIn(projectOf(first));
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First');
  return first;
}

/** Another machine of the project, once the first one has been up. */
export function nextClone(first: Machine, files: Readonly<Record<string, string>> = {}): Machine {
  const { CUEBOOK_WORKSPACES = '' } = first.env;
  const next = machine(first.databaseUrl, first.key(), files, { CUEBOOK_WORKSPACES });
  const git = gitIn(projectOf(next));
  git('init', '--quiet');
  git('fetch', '--quiet', projectOf(first));
  git('reset', '--quiet', '--hard', 'FETCH_HEAD');
  return next;
}

/**
 * What each turn of a run was told, all blocks in one. A process that a busy machine keeps from renewing its lease loses
 * the turn, which is then taken again: every try of a turn is told the same.
 */
export async function told(client: Client, run: string): Promise<readonly string[]> {
  const { turns } = must(await client.listRecorded({ run }));
  const texts = new Map<string, string>();
  for (const { turn } of turns) {
    const text = must(await client.getTurn({ run, turn }))
      .full.blocks.map((block) => block.text)
      .join('\n');
    const first = turn.replace(/\.\d+$/, '');
    if (text !== (texts.get(first) ?? text))
      throw new Error(`The tries of ${first} were told different words.`);
    texts.set(first, text);
  }
  return [...texts.values()];
}

/** Words of a source as a turn is told them. */
export const asTold = (text: string): string => text.replace(/^goal: /, '');

/** What is said first; the goal of a team is in its file. */
export const words = (target: string) => (target.startsWith('team:') ? {} : { input: 'Begin.' });
