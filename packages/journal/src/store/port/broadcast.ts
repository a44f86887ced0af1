/** Words between the processes of a project that nobody keeps: lost when nobody listens, or the database is away. */
export interface Broadcast {
  /** Hands a text to every other process that listens. It does not throw, and nobody waits for it. */
  send(text: string): void;
  /** Called with each text of another process, in the order in which that process sent them. */
  hear(listener: (text: string) => void): () => void;
  close(): Promise<void>;
}
