import { join } from 'node:path';
import { KEYS, serveObjects, verifyToken } from '@cuebook/bundle';
import type { LibraryVersions } from '@cuebook/bundle/profiles';
import {
  authenticate,
  findAgent,
  findLibrary,
  type HomeError,
  isPublicCard,
  noteWrite,
  type OpenPlatform,
  openPlatform,
  type TryCases,
  tellTopicState,
} from '@cuebook/platform';
import { ok, type Result } from '@cuebook/prompt';
import type { HttpMount } from '../http/app.js';
import type { Auth } from '../http/auth.js';
import type { AnyGroup, AnyHandler } from '../http/group.js';
import { done } from './answer.js';
import { type AskScenario, type Clerk, createClerk } from './clerk.js';
import { startNightly } from './nightly.js';
import { keepRenewing, type RenewalJob } from './renewal.js';
import { platformRoutes } from './routes.js';

/** A platform as a part of a server. */
export interface PlatformMount {
  /** Where its agents look for it. */
  readonly url: string;
  readonly auth: Auth;
  /** What its library lists. */
  readonly versions: LibraryVersions;
  /** Its routes; what needs a model is asked this way. */
  readonly groups: (ask: AskScenario, tryCases?: TryCases) => readonly AnyGroup[];
  /** Begins to do what the schedule says; answers how to stop. */
  readonly begin: (ask: AskScenario, onProblem: (error: unknown) => void) => () => void;
  readonly mounts: readonly HttpMount[];
  /** Keeps what is published from ending, until it is closed. */
  renew(log: (line: string) => void): void;
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

export function mountPlatform(platform: OpenPlatform): PlatformMount {
  let job: RenewalJob | undefined;
  return {
    ...partsOf(platform),
    renew(log) {
      job ??= keepRenewing(platform, { log });
    },
    async close() {
      await job?.stop();
      await platform.close();
    },
  };
}

const partsOf = (platform: OpenPlatform): Omit<PlatformMount, 'renew' | 'close'> => ({
  url: platform.config.url,
  auth: {
    // Roles of the platform have names of their own: its owners of cards are not the owner of the server.
    identify: async (token) => {
      const caller = await authenticate(platform, token);
      return caller.ok ? { name: caller.value.who, roles: [`platform:${caller.value.role}`] } : undefined;
    },
  },
  versions: async () => (await findLibrary(platform)).library,
  groups: (ask, tryCases) => [
    following(platform, platformRoutes(platform, createClerk(platform, ask), tryCases)),
  ],
  begin: (ask, onProblem) => keepTicking(createClerk(platform, ask), onProblem),
  mounts: platform.config.store.kind === 'folder' ? [objectsMount(platform)] : [],
});

/** Every answer is given with the keys and the metadata of now: another process may have changed them. */
const following = (platform: OpenPlatform, { table, handlers }: AnyGroup): AnyGroup => ({
  table,
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([name, handler]): [string, AnyHandler] => [
      name,
      async (asked, context) => {
        const followed = await platform.follow();
        if (!followed.ok) return done(followed, 'The platform');
        return handler(asked, context);
      },
    ]),
  ),
});

/** Looks at the schedule now and every ten minutes, one look at a time. */
function keepTicking({ tick }: Clerk, onProblem: (error: unknown) => void): () => void {
  let isBusy = false;
  const look = () => {
    if (isBusy) return;
    isBusy = true;
    tick()
      .catch(onProblem)
      .finally(() => {
        isBusy = false;
      });
  };
  const timer = setInterval(look, TICK_MS);
  timer.unref();
  look();
  return () => clearInterval(timer);
}

const TICK_MS = 10 * 60_000;

/** The objects of a folder, for agents with a credential of this platform. */
const objectsMount = (platform: OpenPlatform): HttpMount => ({
  path: '/platform/objects',
  serve: (request, rest) =>
    serveObjects(request, rest, {
      objects: platform.objects,
      scopeOf: (token) =>
        verifyToken(token, { ...platform, platform: platform.name, now: platform.now() })?.scope,
      // What cannot be noted is still written: the feed is for convenience, and pages read the store itself.
      onWritten: async (agent, key) => {
        await noteWrite(platform, { agent, key });
        const topic = /^topics\/([^/]+)\/messages\//.exec(key)?.[1];
        if (topic !== undefined) await tellTopicState(platform, topic);
      },
      isPublic: async (key) => {
        const agent = /^agents\/all\/([^/]+)\.json$/.exec(key)?.[1];
        const record = agent === undefined ? undefined : await findAgent(platform, agent);
        return record !== undefined && KEYS.card(record.agent) === key && isPublicCard(record);
      },
    }),
});
