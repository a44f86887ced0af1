import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// What the real CLI agents need to take the model server (or one of its lanes) for their vendor's.

/** Claude Code reads these from its environment. */
export const claudeEnvironment = (url: string): Record<string, string> => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'sk-ant-fake-key-for-tests-0000',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '0',
});

/** The name of the variable that holds Codex's key, which must be handed through to it. */
export const CODEX_KEY = 'MODEL_SERVER_KEY';

export const codexEnvironment = { [CODEX_KEY]: 'sk-fake-0123456789' } as const;

/** Codex reads these as settings. */
export const codexSettings = (url: string) => ({
  model: 'gpt-5.5',
  model_provider: 'local',
  'model_providers.local.name': 'local',
  'model_providers.local.base_url': `${url}/v1`,
  'model_providers.local.wire_api': 'responses',
  'model_providers.local.env_key': CODEX_KEY,
  'model_providers.local.supports_websockets': false,
  'model_providers.local.request_max_retries': 0,
  'model_providers.local.stream_max_retries': 0,
  'analytics.enabled': false,
  'features.plugins': false,
});

/** Gemini CLI reads these from its environment, and the rest from its home. */
export const geminiEnvironment = (url: string): Record<string, string> => ({
  GEMINI_API_KEY: 'fake-key-0123456789abcdef0123456789abcdef',
  GOOGLE_GEMINI_BASE_URL: url,
});

export function writeGeminiSettings(home: string): void {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
  };
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
}

/**
 * Gemini CLI names a session's file by the minute, and does not load one of the minute that runs: its own new
 * recording has that name. So that no test waits for the clock, the files are made older.
 */
export function ageGeminiSessions(home: string): void {
  const root = join(home, '.gemini', 'tmp');
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const aged = file.replace(/chats\/session-\d{4}-\d\d-\d\dT/, 'chats/session-2026-01-02T');
    if (aged !== file) renameSync(join(root, file), join(root, aged));
  }
}
