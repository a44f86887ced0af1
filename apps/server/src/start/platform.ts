import type { Files } from '@cuebook/files';
import { ok, type Result } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { isLoopback } from '../http/security.js';
import type { PlatformMount } from '../platform/mount.js';
import { cannotStart, type StartError } from './error.js';

/** The platform of a home, if it has one. What a platform needs is loaded only then. */
export async function openPlatformOf(
  files: Files,
  { home, env }: { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Result<PlatformMount | undefined, StartError>> {
  if (env.CUEBOOK_PLATFORM === undefined) {
    const there = await files.exists('platform/platform.json');
    if (there.ok && !there.value) return ok(undefined);
  }
  const { openPlatformMount } = await import('../platform/mount.js');
  const opened = await openPlatformMount(home, env);
  if (opened.ok) return opened;
  const { code } = opened.error;
  const what = 'what' in opened.error ? ` (${opened.error.what})` : '';
  return cannotStart(
    code,
    `The platform of this project cannot be opened${what}. ${hint`help ${code}`} says more.`,
  );
}

/** The port at which agents of this machine look for a platform; `undefined`: they come by another way. */
export function portOfPlatform(platform: PlatformMount | undefined): number | undefined {
  if (platform === undefined) return undefined;
  const { protocol, hostname, port } = new URL(platform.url);
  return protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''))
    ? Number(port || 80)
    : undefined;
}
