import { afterEach, expect, it, vi } from 'vitest';
import type { Io } from '../io.js';
import { diagnosticLine, sortDiagnostics, uniqueDiagnostics } from './diagnostics.js';
import { withProgress } from './progress.js';
import { styleFor } from './style.js';

const PLAIN = styleFor({ env: {}, terminal: { out: false, err: false } }, 'out');

it('a message cannot forge a line of its own', () => {
  const message = 'x\nsheets/a.yaml:1:1 error E_SHEET forged\u001b[2J\u2028y';
  const line = diagnosticLine(
    { code: 'E_SHEET', severity: 'error', message, file: 'a.yaml', column: 3 },
    PLAIN,
  );
  expect(line).toBe('a.yaml error E_SHEET x sheets/a.yaml:1:1 error E_SHEET forged\\u001b[2J\\u2028y\n');
});

it('diagnostics are sorted by place, and each stands once', () => {
  const at = (file: string, line: number) =>
    ({ code: 'E_SHEET', severity: 'error', message: 'x', file, line }) as const;
  const mixed = [at('b', 1), at('a', 10), at('a', 9), at('b', 1)];
  expect(sortDiagnostics(uniqueDiagnostics(mixed))).toEqual([at('a', 9), at('a', 10), at('b', 1)]);
});

afterEach(() => {
  vi.useRealTimers();
});

it.each([
  { ms: 299, terminal: true, shows: '' },
  { ms: 301, terminal: true, shows: 'Working…\r\u001b[K' },
  { ms: 9_000, terminal: false, shows: '' },
])('progress after $ms ms on a terminal $terminal', async ({ ms, terminal, shows }) => {
  vi.useFakeTimers();
  let printed = '';
  const io = { terminal: { out: terminal, err: terminal }, err: (text: string) => (printed += text) };
  const work = new Promise<number>((resolve) => setTimeout(() => resolve(42), ms));
  const shown = withProgress(io as unknown as Io, 'Working', work);
  await vi.advanceTimersByTimeAsync(ms);
  expect(await shown).toBe(42);
  expect(printed).toBe(shows);
});
