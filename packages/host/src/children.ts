import { randomBytes } from 'node:crypto';
import type { Files } from '@cuebook/files';
import {
  type ChildrenNote,
  endLeftChildren,
  nameProcess,
  noteOfThisProcess,
  watchChildren,
} from '@cuebook/process';

/** Notes of the programs that this process starts, so that a later one can end what a kill leaves running. */
export interface ChildBook {
  /** Ends what dead processes have left; answers how many there were. Then notes are kept for this one. */
  open(): Promise<number>;
  /** An orderly end: no child is left, and no note. */
  close(): Promise<void>;
}

const FOLDER = 'children';

export function createChildBook(home: Files, onProblem: (error: unknown) => void): ChildBook {
  let note: ChildrenNote | undefined;
  let leave = () => {};
  let writing: Promise<unknown> = Promise.resolve();
  const file = `${FOLDER}/${process.pid}-${randomBytes(6).toString('hex')}.json`;

  const write = async (): Promise<void> => {
    if (note === undefined) return;
    const written = await home.writeText(file, JSON.stringify(note), { mode: 0o600 });
    if (!written.ok) onProblem(written.error);
  };
  const add = async (pid: number): Promise<void> => {
    const name = await nameProcess(pid);
    if (name === undefined || note === undefined) return;
    note = { ...note, children: [...note.children, name].slice(-MOST) };
    await write();
  };

  return {
    async open() {
      const made = await home.makeDirectory(FOLDER);
      if (!made.ok) onProblem(made.error);
      let ended = 0;
      for (const { file: found, left } of await readNotes(home)) {
        const count = left === undefined ? 0 : await endLeftChildren(left);
        if (count === 'alive') continue;
        ended += count;
        await home.remove(found);
      }
      note = await noteOfThisProcess();
      await write();
      // Where environments can be seen the mark finds every child; elsewhere its number and start time do.
      if (process.platform === 'linux') return ended;
      leave = watchChildren((pid) => {
        writing = writing.then(() => add(pid)).catch(onProblem);
      });
      return ended;
    },
    async close() {
      leave();
      await writing;
      if (note !== undefined) await home.remove(file);
      note = undefined;
    },
  };
}

/** Children that are kept by name: more than run at once. */
const MOST = 512;

interface ReadNote {
  readonly file: string;
  /** Undefined: not one of ours. */
  readonly left: ChildrenNote | undefined;
}

async function readNotes(home: Files): Promise<readonly ReadNote[]> {
  const listing = await home.list(FOLDER);
  if (!listing.ok) return [];
  const notes: ReadNote[] = [];
  for (const { name } of listing.value.entries) {
    const file = `${FOLDER}/${name}`;
    const text = await home.readText(file);
    if (text.ok && name.endsWith('.json')) notes.push({ file, left: parseNote(text.value) });
  }
  return notes;
}

function parseNote(text: string): ChildrenNote | undefined {
  try {
    const note = Object(JSON.parse(text)) as Partial<ChildrenNote>;
    const isMark = typeof note.mark === 'string' && /^CUEBOOK_CHILD=[0-9a-f]{24}\.$/.test(note.mark);
    const isNote =
      isMark && isName(note.owner) && Array.isArray(note.children) && note.children.every(isName);
    return isNote ? (note as ChildrenNote) : undefined;
  } catch {
    return undefined; // Not JSON: not ours.
  }
}

const isName = (value: unknown): boolean => {
  const { pid, start } = Object(value) as { readonly pid?: unknown; readonly start?: unknown };
  return Number.isSafeInteger(pid) && (pid as number) > 1 && typeof start === 'string';
};
