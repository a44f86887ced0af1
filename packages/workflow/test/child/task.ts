/** What a child process is told to do: carry the workflow out, or as far as it comes. */
export interface ChildTask {
  /** Folders that outlive it. */
  readonly home: string;
  readonly project: string;
  readonly pkg: string;
  readonly folder: string;
  /** The turns of the model, as JSON of a script. */
  readonly script: string;
  readonly terminal: boolean;
  /** Where it kills itself, at the n-th time that it comes there. */
  readonly kill?: { readonly point: string; readonly hit: number };
}

/** What it says at its end. */
export interface ChildReport {
  readonly status: { readonly kind: string; readonly for?: string; readonly effects?: readonly string[] };
  /** How often it came to each point. */
  readonly hits: Readonly<Record<string, number>>;
  readonly history: readonly unknown[];
}
