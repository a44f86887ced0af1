import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openRegistry } from '../scripts/registry/registry.mjs';
import { fencesIn } from './markdown.js';
import { packState } from './packed.js';
import { REPOSITORIES } from './repositories.js';
import { ROOT } from './root.js';
import { itInTurn as it, sampled } from './runs.js';

// A person with a repository of their own: from `npm install` to a prompt that is checked, recorded and explained. They
// type what the README shows, and from then on only what the command before has printed.

const exec = promisify(execFile);
const MOST_COMMANDS = 8;

const state = packState();
const title = state ? '' : ' (skipped: nothing is published; npm test does it)';

describe.skipIf(state === undefined)(`time to first value${title}`, () => {
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  const folders: string[] = [];
  beforeAll(async () => {
    registry = await openRegistry({ folder: state?.registry ?? '' });
  });
  afterAll(async () => {
    await registry?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it.each(sampled(Object.keys(REPOSITORIES), 1))(
    'takes at most 8 commands, each printed by the one before: %s',
    async (kind) => {
      const base = mkdtempSync(join(tmpdir(), 'cuebook-first-'));
      folders.push(base);
      const repository = join(base, 'shop');
      for (const [path, text] of Object.entries(REPOSITORIES[kind]?.files ?? {})) {
        mkdirSync(dirname(join(repository, path)), { recursive: true });
        writeFileSync(join(repository, path), text);
      }
      mkdirSync(join(base, 'home'));
      const env = {
        PATH: process.env.PATH,
        HOME: join(base, 'home'),
        npm_config_registry: registry.url,
        npm_config_update_notifier: 'false',
      };
      const type = async (line: string) => {
        const { stdout, stderr } = await exec('sh', ['-c', line], { cwd: repository, env });
        return stdout + stderr;
      };

      const typed = readmeLines();
      let printed = '';
      for (const line of typed) printed = await type(line);
      for (const name of ['import', 'check', 'run', 'explain']) {
        const next = commandsIn(printed).find(
          (line) =>
            line.startsWith(`npx --no-install cuebook ${name} `) ||
            line === `npx --no-install cuebook ${name}`,
        );
        expect(next, `after ${typed.at(-1)}:\n${printed}`).toBeDefined();
        typed.push(next as string);
        printed = await type(next as string);
        if (name === 'check') expect(printed).toContain('✓ 0 errors');
        if (name === 'import') expect(printed).toContain(`${REPOSITORIES[kind]?.written} files written`);
      }
      expect(printed).toMatch(/^from +file (?:texts|sheets)\/\S+:\d+:\d+$/m);
      expect(typed.length).toBeLessThanOrEqual(MOST_COMMANDS);

      // It is on record, as it was written, and nothing is in the home of the person.
      expect(await type('npx --no-install cuebook verify')).toContain('1 turn');
      expect(existsSync(join(repository, '.cuebook'))).toBe(true);
      expect(registry.missing).toEqual([]);
    },
  );
});

/** What the README shows first: the installation, and the first command. */
function readmeLines(): string[] {
  const [first] = fencesIn(readFileSync(join(ROOT, 'README.md'), 'utf8')).filter(
    ({ language }) => language === 'sh',
  );
  const lines = (first?.code ?? '').split('\n').map((line) => line.replace(/\s*#.*$/, ''));
  return lines.filter((line) => line !== '');
}

/** The command lines that a command printed, each on a line of its own; behind three spaces stands what it is for. */
const commandsIn = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .map((line) => line.trim().replace(/ {3}.*$/, ''))
    .filter((line) => line.startsWith('npx --no-install cuebook '));
