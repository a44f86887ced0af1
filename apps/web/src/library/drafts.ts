/** A file as a person has changed it and not saved it yet. */
export interface PromptDraft {
  readonly text: string;
  /** The hash of what it was made from. */
  readonly base: string;
}

/** Drafts by path, for as long as the page is open: going to another screen loses none. */
const kept = new Map<string, PromptDraft>();

/** The drafts of some files. */
export const draftsOf = (paths: readonly string[]): ReadonlyMap<string, PromptDraft> =>
  new Map(
    paths.flatMap((path) => {
      const draft = kept.get(path);
      return draft === undefined ? [] : [[path, draft] as const];
    }),
  );

/** Keeps a draft, or forgets it. */
export function keepDraft(path: string, draft: PromptDraft | undefined): void {
  if (draft === undefined) kept.delete(path);
  else kept.set(path, draft);
}

/** Whether anything is unsaved. */
export const hasDrafts = (): boolean => kept.size > 0;

addEventListener('beforeunload', (event) => {
  if (hasDrafts()) event.preventDefault();
});
