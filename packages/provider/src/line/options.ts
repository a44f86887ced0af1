/** A program to start, and what it may see. */
export interface LineOptions {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** `lines`: the JSON lines of `protocol.ts`. `raw`: words in, words out, the exit code decides. */
  readonly protocol?: 'lines' | 'raw';
  /** Set for the program, on top of what `allow` lets through. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of our environment that the program may see beside the common ones. */
  readonly allow?: readonly string[];
  /** The folder in which it keeps its sessions, in files that are named by their ids; `~/` is the home. */
  readonly sessions?: string;
  /** For tests. */
  readonly parentEnv?: Readonly<Record<string, string | undefined>>;
}
