import type { Files } from '@cuebook/files';
import { type ComposedTarget, composeTarget, type Workbench } from '@cuebook/profile';
import type { Diagnostic } from '@cuebook/prompt';
import { type Checker, type CheckerOptions, createChecker, type SettleOptions } from './check/checker.js';
import { createNameIndex, type NameIndex } from './names/name-index.js';
import { hasNames } from './names/names-in.js';
import { type Buffers, bufferedFiles, createBuffers } from './source/buffers.js';
import type { FileEvent } from './source/tracked.js';

export interface EditorProjectOptions<Bench extends Workbench>
  extends Omit<CheckerOptions<Bench>, 'open' | 'settingFiles'> {
  /** Opens the project; `lay` puts what is open in the editor over its files. */
  readonly open: (lay: (files: Files) => Files) => ReturnType<CheckerOptions<Bench>['open']>;
  /** Counts tokens. Loaded when something is counted. */
  readonly tokenizer: () => Promise<(text: string) => number>;
}

/** A project as an editor has it open: its files, what is typed over them, and all that is known of both. */
export interface EditorProject {
  readonly buffers: Buffers;
  readonly checker: Checker;
  /** A buffer or a file is another one now. */
  readonly tell: (events: readonly FileEvent[]) => void;
  readonly settle: (options?: SettleOptions) => Promise<void>;
  /** The text of a file as it is now: typed, else saved. */
  readonly text: (file: string) => Promise<string | undefined>;
  readonly diagnostics: () => readonly Diagnostic[];
  readonly names: () => Promise<NameIndex>;
  /** A target as it is told now, with its author's examples; undefined when it cannot be. */
  readonly composed: (target: string) => Promise<ComposedTarget | undefined>;
  /** The targets that a file is a part of. */
  readonly targetsOf: (file: string) => readonly string[];
  readonly tokenizer: () => Promise<(text: string) => number>;
  /** Ends what is still looked at. */
  readonly close: () => void;
}

/** The files that decide how a project is opened. */
const SETTING_FILES = ['cuebook.yaml', '.gitignore'];
/** Files of a project that are indexed. */
const MAX_INDEXED = 20_000;

export function createEditorProject<Bench extends Workbench & { readonly files: Files }>(
  options: EditorProjectOptions<Bench>,
): EditorProject {
  const buffers = createBuffers();
  const checker = createChecker<Bench>({
    ...options,
    settingFiles: SETTING_FILES,
    open: () =>
      options.open((files) => {
        saved = files;
        return bufferedFiles(files, buffers);
      }),
  });
  let saved: Files | undefined;
  const below = async (file: string): Promise<string | undefined> => {
    const read = await saved?.readText(file);
    return read?.ok === true ? read.value : undefined;
  };
  let index: NameIndex | undefined;
  let changed = new Set<string>();
  let prompts = new Map<string, Promise<ComposedTarget | undefined>>();

  const text = async (file: string): Promise<string | undefined> => {
    const typed = buffers.get(file);
    if (typed !== undefined) return typed;
    const { files } = await checker.bench();
    const read = await files.readText(file);
    return read.ok ? read.value : undefined;
  };

  const names = async (): Promise<NameIndex> => {
    if (index === undefined) {
      const made = createNameIndex();
      const { files } = await checker.bench();
      const found: string[] = [];
      for await (const path of files.walk('.', { ignore: ['.git', 'node_modules', '.cuebook', 'dist'] })) {
        if (path.ok && hasNames(path.value)) found.push(path.value);
        if (found.length >= MAX_INDEXED) break;
      }
      for (const file of found) {
        // A text that is half-written cannot be read: its names are those that were saved.
        if (buffers.get(file) !== undefined) {
          const before = await below(file);
          if (before !== undefined) made.set(file, before);
        }
        made.set(file, await text(file));
      }
      index = made;
    }
    const known = index;
    const files = [...changed];
    changed = new Set();
    for (const file of files) if (hasNames(file)) known.set(file, await text(file));
    return known;
  };

  return {
    buffers,
    checker,
    tell(events) {
      for (const { path } of events) changed.add(path);
      prompts = new Map();
      checker.tell(events);
    },
    settle: (how) => checker.settle(how),
    text,
    diagnostics: () => checker.diagnostics(),
    names,
    composed(target) {
      const known = prompts.get(target);
      if (known !== undefined) return known;
      const composing = checker
        .on(target, (bench) => composeTarget(bench, target))
        .then((result) => (result.ok ? result.value : undefined));
      prompts.set(target, composing);
      return composing;
    },
    targetsOf: (file) => checker.targets().filter((target) => checker.filesOf(target).includes(file)),
    tokenizer: options.tokenizer,
    close: () => checker.close(),
  };
}
