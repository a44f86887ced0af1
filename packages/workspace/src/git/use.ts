import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describeFileError, type FileError, type Files, isLocked, withLock } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { WorkspaceError } from '../contract.js';

/** Who works with the store, in whatever process: any number of operations, or one that takes away what is not needed. */
export interface StoreUse {
  /** Does an operation. It waits while somebody takes away what is not needed. */
  shared<Value>(work: () => Promise<Result<Value, WorkspaceError>>): Promise<Result<Value, WorkspaceError>>;
  /** Does work while nobody else is at the store. `E_WORKSPACE_BUSY`: somebody is, for longer than a moment. */
  alone<Value>(work: () => Promise<Result<Value, WorkspaceError>>): Promise<Result<Value, WorkspaceError>>;
}

/**
 * The use of a store below a folder of files. Whoever works shows it by a lock of its own, and only then looks whether
 * somebody wants to be alone; who wants to be alone says so first, and only then looks who works. So of two that come
 * at the same moment at least one sees the other. Locks of killed processes are free.
 */
export function createStoreUse(files: Files, folder: string): StoreUse {
  const users = `${folder}/users`;
  const alone = `${folder}/alone`;
  const own = `${users}/${randomUUID()}`;
  let count = 0;
  let here: Promise<Result<Presence, WorkspaceError>> | undefined;
  let left: Promise<unknown> = Promise.resolve();

  const arrive = async (): Promise<Result<Presence, WorkspaceError>> => {
    for (;;) {
      const presence = await show(files, own);
      const wanted = presence.ok ? await isLocked(files, alone) : ok(false);
      if (!presence.ok) return fail(failure(presence.error));
      const isFree = wanted.ok && !guard('store.alone', wanted.value);
      // Who was alone meanwhile may have taken this lock for a left one, and swept it away.
      const shown = isFree ? await isLocked(files, own) : wanted;
      if (isFree && shown.ok && shown.value) return presence;
      await presence.value.leave();
      if (!shown.ok) return fail(failure(shown.error));
      if (isFree) continue;
      const over = await withLock(files, alone, async () => undefined, { patienceMs: PATIENCE_MS });
      if (!over.ok) return fail(failure(over.error));
    }
  };
  const leave = async (was: typeof here): Promise<void> => {
    count -= 1;
    if (count > 0) return;
    here = undefined;
    left = Promise.resolve(was).then((presence) => (presence?.ok ? presence.value.leave() : undefined));
    await left;
  };
  const isUsed = async (): Promise<Result<boolean, FileError>> => {
    const listed = await files.list(users);
    if (!listed.ok) return listed.error.code === 'E_FILE_NOT_FOUND' ? ok(count > 0) : listed;
    for (const { name } of listed.value.entries) {
      const found = await isLocked(files, `${users}/${name}`);
      if (!found.ok) return found;
      if (found.value) return ok(true);
      await files.removeTree(`${users}/${name}`);
    }
    return ok(count > 0);
  };

  return {
    async shared(work) {
      count += 1;
      here ??= left.then(arrive);
      const was = here;
      try {
        const entered = await was;
        return entered.ok ? await work() : entered;
      } finally {
        await leave(was);
      }
    },
    async alone(work) {
      const done = await withLock(files, alone, async () => {
        for (let tries = 0; ; tries += 1) {
          const used = await isUsed();
          if (!used.ok) return fail(failure(used.error));
          if (!guard('store.used', used.value)) return work();
          if (tries === TRIES) return fail(BUSY);
          await wait(STEP_MS);
        }
      });
      return done.ok ? done.value : fail(failure(done.error));
    },
  };
}

/** The lock of somebody who works. */
interface Presence {
  leave(): Promise<unknown>;
}

function show(files: Files, folder: string): Promise<Result<Presence, FileError>> {
  return new Promise((resolve) => {
    const held: Promise<unknown> = withLock(files, folder, () => {
      return new Promise<void>((end) => {
        resolve(
          ok({
            leave: () => {
              end();
              return held;
            },
          }),
        );
      });
    }).then((done) => {
      if (!done.ok) resolve(done);
    });
  });
}

/** Somebody who wants to be alone waits so often, and so long, for those who work. */
const TRIES = 20;
const STEP_MS = 50;
/** Longer than taking away takes. */
const PATIENCE_MS = 600_000;

const BUSY: WorkspaceError = {
  code: 'E_WORKSPACE_BUSY',
  message: 'Somebody is at work on the workspaces. Try again.',
};

const failure = (error: FileError): WorkspaceError =>
  error.code === 'E_FILE_CHANGED' ? BUSY : { code: 'E_WORKSPACE_READ', message: describeFileError(error) };
