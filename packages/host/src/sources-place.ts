/** What an event of a run says of its sources: its first one, and each that moves it to others. */
export type KeptSources = {
  /** The entry of the vault that has them. */
  readonly entry: string;
  /** `sha256:` and the hex digest of each file, by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** The commit that was checked out then, in a repository. */
  readonly commit?: string;
  /** Where in the repository the project's folder is; left out: at its top. */
  readonly within?: string;
  /** The content hash of all files of the project, as git makes it, where machines share them. */
  readonly tree?: string;
  /**
   * Of a run that was moved: the machine in whose own folder the other files of the project are; null: in no such folder,
   * they are those of the commit. Left out: the machine on which the run began.
   */
  readonly machine?: string | null;
};

/** Where the sources of a run are, without the hashes of their files. */
export type SourcesPlace = Omit<KeptSources, 'files'>;
