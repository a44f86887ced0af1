/** How a folder stood at one moment. */
export type FolderSnapshot = {
  /** The tree in the store that holds all of it. */
  readonly tree: string;
  /** Files that git cannot take in, such as unreadable ones and those below a `.GIT`: they are only named. */
  readonly odd: readonly string[];
};
