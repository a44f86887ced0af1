import { dirname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type EditorProject, linesOfText } from '@cuebook/editor';
import { openFolder } from '@cuebook/files';
import { CONFIG_FILE } from '@cuebook/profile';
import type { Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import { Failure } from '../failure.js';
import { told } from '../hint/typed.js';
import type { Io } from '../io.js';
import { nearestProject } from '../project/find.js';
import { isOutside } from '../project/watchable.js';
import { toDiagnostic } from './convert.js';
import { openEditorProject } from './open-project.js';

/** A project that is open, and the file of it that is meant. */
export interface OpenFile {
  readonly of: OpenProject;
  readonly file: string;
}

export interface OpenProject {
  readonly project: EditorProject;
  readonly uri: (file: string) => string;
  /** Something happened: looks again and publishes. Resolves when all is published. */
  readonly changed: (events: readonly { readonly path: string; readonly isMove: boolean }[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The projects that an editor works on, each opened when the first of its files is. */
export interface Workspace {
  /** The file of a project that a URI names; undefined when it is in none. */
  readonly find: (uri: string) => Promise<OpenFile | undefined>;
  /** Opens the project that a folder is, if it is one. */
  readonly open: (uri: string) => Promise<void>;
  /** Nobody is left to tell: no project is opened or looked at any more. */
  readonly close: () => Promise<void>;
}

export interface EditedOptions {
  readonly io: Io;
  readonly publish: (uri: string, diagnostics: LspDiagnostic[]) => void;
  readonly log: (message: string) => void;
}

export function openWorkspace(options: EditedOptions): Workspace {
  const projects = new Map<string, OpenProject>();
  const folders = new Map<string, Promise<string | undefined>>();
  let isClosed = false;
  const folderOf = (start: string): Promise<string | undefined> => {
    const known = folders.get(start);
    if (known !== undefined) return known;
    const found = nearestProject(start, options.io.cwd).catch((error: unknown) => {
      if (error instanceof Failure) return undefined;
      throw error;
    });
    folders.set(start, found);
    // A folder may become a project while it is open.
    void found.then((folder) => folder === undefined && folders.delete(start));
    return found;
  };
  const openAt = (folder: string): OpenProject => {
    const known = projects.get(folder) ?? openOne(folder, options);
    projects.set(folder, known);
    return known;
  };
  return {
    async find(uri) {
      const path = pathOf(uri);
      if (path === undefined) return undefined;
      const folder = await folderOf(dirname(path));
      if (folder === undefined || isClosed) return undefined;
      const file = relative(folder, path).split(sep).join('/');
      return isOutside(file) || file === '' ? undefined : { of: openAt(folder), file };
    },
    async open(uri) {
      const path = pathOf(uri);
      const folder = path === undefined ? undefined : await folderOf(path);
      if (folder !== undefined && folder === path && !isClosed) await openAt(folder).changed([]);
    },
    async close() {
      isClosed = true;
      await Promise.all([...projects.values()].map((project) => project.close()));
    },
  };
}

/** The path of a `file:` URI; undefined for any other. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri).replace(/(.)\/+$/, '$1') : undefined;
  } catch {
    return undefined; // Not a path of this system.
  }
}

/** Looks after which what is known so far is published. */
const LOOKS_BETWEEN = 200;

function openOne(folder: string, { io, publish, log }: EditedOptions): OpenProject {
  const project = openEditorProject(folder, io);
  const uri = (file: string): string => pathToFileURL(`${folder}/${file}`).href;
  const published = new Map<string, string>();
  let touched = new Set<string>();
  let watching: Promise<() => Promise<void>> | undefined;
  let isClosed = false;

  const publishAll = async (): Promise<void> => {
    const files = touched;
    touched = new Set();
    const byFile = new Map<string, ReturnType<EditorProject['diagnostics']>[number][]>();
    for (const diagnostic of project.diagnostics()) {
      // What belongs to no file of the project is told at its configuration.
      const file = isOwn(diagnostic.file) ? diagnostic.file : CONFIG_FILE;
      byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
    }
    for (const file of new Set([...published.keys(), ...byFile.keys()])) {
      const found = byFile.get(file) ?? [];
      const key = JSON.stringify(found);
      if (published.get(file) === key && !files.has(file)) continue;
      if (found.length === 0) published.delete(file);
      else published.set(file, key);
      const lines = linesOfText(found.length === 0 ? '' : ((await project.text(file)) ?? ''));
      if (isClosed) return;
      const shown = found.map((each) => {
        const isHere = each.file === file;
        const elsewhere = !isHere && each.file !== undefined ? `${each.file}: ` : '';
        const { line: _line, column: _column, ...rest } = each;
        return toDiagnostic(isHere ? each : rest, elsewhere + told(io, each.message), lines);
      });
      publish(uri(file), shown);
    }
  };

  const changed: OpenProject['changed'] = async (events) => {
    if (isClosed) return;
    for (const { path } of events) touched.add(path);
    project.tell(events);
    let looks = 0;
    try {
      await project.settle({
        first: project.buffers.paths(),
        onLook: () => {
          looks += 1;
          if (looks % LOOKS_BETWEEN === 0) void publishAll().catch(fail);
        },
      });
      await publishAll();
    } catch (error) {
      fail(error);
    }
    if (!isClosed) watching ??= watch();
    await watching;
  };

  const fail = (error: unknown): void =>
    log(`The project could not be checked: ${error instanceof Failure ? error.message : String(error)}`);

  /** What others write is seen, whether the editor tells of it or not. Answers what ends that. */
  const watch = async (): Promise<() => Promise<void>> => {
    const opened = await openFolder(folder, { access: 'ro' });
    const watcher = opened.ok
      ? await opened.value.watch(
          (batch) => {
            if (batch.ok)
              void changed(batch.value.map(({ path, kind }) => ({ path, isMove: kind !== 'changed' })));
          },
          { ignore: ['.git', 'node_modules', '.cuebook'] },
        )
      : undefined;
    if (watcher?.ok === true) return () => watcher.value.close();
    log('Changes that other programs make are not seen: the folder cannot be watched');
    return async () => undefined;
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    project.close();
    // A watcher that is being opened is closed when it is open.
    const unwatch = await watching;
    await unwatch?.();
  };

  return { project, uri, changed, close };
}

const isOwn = (file: string | undefined): file is string =>
  file !== undefined && !/^(?:cuebook:|@)/.test(file);
