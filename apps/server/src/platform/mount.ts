import { join } from 'node:path';
import { KEYS, serveObjects, verifyToken } from '@cuebook/bundle';
import {
  authenticate,
  findAgent,
  type HomeError,
  isPublicCard,
  noteWrite,
  type OpenPlatform,
  openPlatform,
} from '@cuebook/platform';
import { ok, type Result } from '@cuebook/prompt';
import type { HttpMount } from '../http/app.js';
import type { Auth } from '../http/auth.js';
import type { AnyGroup } from '../http/group.js';
import { startNightly } from './nightly.js';
import { platformRoutes } from './routes.js';

/** A platform as a part of a server. */
export interface PlatformMount {
  readonly auth: Auth;
  readonly groups: readonly AnyGroup[];
  readonly mounts: readonly HttpMount[];
  close(): Promise<void>;
}

/** The platform in `platform` of the home, or none. */
export async function openPlatformMount(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<PlatformMount | undefined, HomeError>> {
  const folder = env.CUEBOOK_PLATFORM ?? join(home, 'platform');
  const opened = await openPlatform(folder, { env });
  if (opened.ok) {
    const mount = mountPlatform(opened.value);
    const nightly = startNightly(opened.value);
    return ok({ ...mount, close: () => nightly.stop().then(mount.close) });
  }
  const isNone = opened.error.code === 'E_PLATFORM_HOME' && opened.error.reason === 'none';
  return isNone ? ok(undefined) : opened;
}

export const mountPlatform = (platform: OpenPlatform): PlatformMount => ({
  auth: {
    // Roles of the platform have names of their own: its owners of cards are not the owner of the server.
    identify: async (token) => {
      const caller = await authenticate(platform, token);
      return caller.ok ? { name: caller.value.who, roles: [`platform:${caller.value.role}`] } : undefined;
    },
  },
  groups: [platformRoutes(platform)],
  mounts: platform.config.store.kind === 'folder' ? [objectsMount(platform)] : [],
  close: () => platform.close(),
});

/** The objects of a folder, for agents with a credential of this platform. */
const objectsMount = (platform: OpenPlatform): HttpMount => ({
  path: '/platform/objects',
  serve: (request, rest) =>
    serveObjects(request, rest, {
      objects: platform.objects,
      scopeOf: (token) =>
        verifyToken(token, { ...platform, platform: platform.name, now: platform.now() })?.scope,
      // What cannot be noted is still written: the feed is for convenience, and pages read the store itself.
      onWritten: async (agent, key) => void (await noteWrite(platform, { agent, key })),
      isPublic: async (key) => {
        const agent = /^agents\/all\/([^/]+)\.json$/.exec(key)?.[1];
        const record = agent === undefined ? undefined : await findAgent(platform, agent);
        return record !== undefined && KEYS.card(record.agent) === key && isPublicCard(record);
      },
    }),
});
