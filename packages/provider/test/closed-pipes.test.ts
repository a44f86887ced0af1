import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcesses } from '@cuebook/process';
import { afterAll, describe, expect, it } from 'vitest';
import { createAcpProvider } from '../src/acp/provider.js';
import { createClaudeProvider } from '../src/claude/provider.js';
import { createCodexProvider } from '../src/codex/codex.js';
import { createGeminiProvider } from '../src/gemini/gemini.js';
import { createLineProvider } from '../src/line/provider.js';
import type { Provider } from '../src/turn.js';
import { play, redactor } from './play.js';

const folder = mkdtempSync(join(tmpdir(), 'cuebook-pipes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Every provider that starts a program. */
const PROVIDERS: readonly (readonly [string, (command: string) => Provider])[] = [
  ['lines', (command) => createLineProvider({ name: 'own', command })],
  ['raw', (command) => createLineProvider({ name: 'own', command, protocol: 'raw' })],
  ['claude', (command) => createClaudeProvider({ command })],
  ['codex', (command) => createCodexProvider({ command, transport: 'app-server' })],
  ['codex exec', (command) => createCodexProvider({ command, transport: 'exec' })],
  ['gemini', (command) => createGeminiProvider({ command })],
  ['acp', (command) => createAcpProvider({ name: 'own', command })],
];

/**
 * A process that holds neither pipe, in the background, and the number of each process in a file: before the pipes are
 * closed, because whoever closes them may be ended in the next moment.
 */
const LIVING = 'sleep 600 <&- >&- 2>&- & echo $! $$ > "$0.pids"';

/** What a program may do with its pipes and live on, in the words of sh. */
const LIVES: readonly (readonly [string, string])[] = [
  ['closes its output before anything', `${LIVING}; exec >&-; wait`],
  ['closes its output after a line', `${LIVING}; echo '{"kind":"text","text":"a"}'; exec >&-; wait`],
  ['closes its output in the middle of a line', `${LIVING}; printf '{"type":'; exec >&-; wait`],
  ['closes its output once it was told something', `${LIVING}; read -r line; exec >&-; wait`],
  ['closes all three', `${LIVING}; exec <&- >&- 2>&-; wait`],
  ['closes its output and hears no signal', `trap '' TERM; ${LIVING}; exec >&-; wait`],
];

/** A program that has ended, while something that it started holds its output. */
const LEAVES: readonly (readonly [string, string])[] = [
  ['holds it in silence', 'sleep 600 <&- 2>&- & echo $! $$ > "$0.pids"; exit 3'],
  [
    'writes to it for ever',
    '(while :; do echo x; sleep 0.2; done) <&- 2>&- & echo $! $$ > "$0.pids"; exit 3',
  ],
];

/** No limit is reached: what ends here ends because of what the program did. */
const LIMITS = { idleMs: 3_600_000, totalMs: 3_600_000, outputBytes: 1 << 20 };

let count = 0;
async function run(make: (command: string) => Provider, script: string) {
  count += 1;
  const command = join(folder, `program-${count}`);
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const session = make(command).open({ redactor, cwd: folder });
  const { end } = await play(session, { limits: LIMITS });
  await session.close();
  const pids = readFileSync(`${command}.pids`, 'utf8').trim().split(' ').map(Number);
  const rows = (await readProcesses('no-such-mark-anywhere=')) ?? [];
  const left = rows.filter(({ pid, isZombie }) => pids.includes(pid) && !isZombie);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return { end, left: left.map(({ pid }) => pid) };
}

describe.skipIf(process.platform !== 'linux').concurrent.each(PROVIDERS)('a program of %s', (_name, make) => {
  it.concurrent.each(LIVES)(
    'that %s and lives on ends its turn at once, and is gone',
    async (_what, script) => {
      const { end, left } = await run(make, script);
      expect(end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_EXIT' } });
      expect(end.error?.message).toMatch(/closed its output and went on running|no longer reads its input/);
      expect(left).toEqual([]);
    },
  );

  it.concurrent.each(LEAVES)(
    'that ends while a process of its own %s ends its turn',
    async (_what, script) => {
      const { end, left } = await run(make, script);
      expect(end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_EXIT' } });
      expect(end.error?.message).toContain('code 3');
      expect(left).toEqual([]);
    },
  );
});
