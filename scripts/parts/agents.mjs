// @ts-check
import { npmProgram } from './npm-program.mjs';

const { arch, platform } = process;
const EXE = platform === 'win32' ? '.exe' : '';
const RUST_ARCH = arch === 'arm64' ? 'aarch64' : 'x86_64';
const RUST_SYSTEM =
  { darwin: 'apple-darwin', win32: 'pc-windows-msvc' }[String(platform)] ?? 'unknown-linux-musl';

// Of claude and codex the native program: their launchers need install scripts, or leave it behind when killed.
/** The CLI agents, each at the one version that the tests are about. */
export const AGENTS = {
  claude: npmProgram('claude', '@anthropic-ai/claude-code', '2.1.325', [
    `@anthropic-ai/claude-code-${platform}-${arch}/claude${EXE}`,
    `@anthropic-ai/claude-code-${platform}-${arch}-musl/claude`,
  ]),
  codex: npmProgram('codex', '@openai/codex', '0.166.0', [
    `@openai/codex-${platform}-${arch}/vendor/${RUST_ARCH}-${RUST_SYSTEM}/bin/codex${EXE}`,
  ]),
  gemini: npmProgram('gemini', '@google/gemini-cli', '0.61.0', ['.bin/gemini']),
};

/** An agent that speaks the Agent Client Protocol and asks for nothing by itself; its native program. */
export const OPENCODE = npmProgram('opencode', 'opencode-ai', '1.18.18', [
  `opencode-${platform === 'win32' ? 'windows' : platform}-${arch}/bin/opencode${EXE}`,
]);

/**
 * The renderer that imported prompts of promptfoo are compared with. What it needs for models of its own is left out:
 * that is a gigabyte.
 */
export const PROMPTFOO = npmProgram(
  'promptfoo',
  'promptfoo',
  '0.121.20',
  ['.bin/promptfoo'],
  ['optional', 'peer'],
);
