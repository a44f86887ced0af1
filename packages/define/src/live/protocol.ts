import type { JsonValue } from '@cuebook/prompt';
import type { StateView } from './contract.js';

/** What the thread that runs functions is given when it starts. */
export interface LiveInput {
  /** The project's folder as a `file:` URL with a slash at its end. */
  readonly folder: string | undefined;
}

/** The part of a thread's state that is data. */
export type StateData = Omit<StateView, 'setEnv' | 'notifyParent'>;

/** One piece of work for the thread. */
export interface ThreadWork {
  /** The definition's file. */
  readonly file: string;
  readonly does: 'check' | 'approval' | 'tool' | 'hook';
  /** The arguments as an object, or those of a hook as a list. */
  readonly args: JsonValue;
  readonly state?: StateData;
  /** The state of a child thread, for the hook that is told of one. */
  readonly child?: StateData;
}

/** What the thread is told. */
export type ToThread =
  | { readonly type: 'call'; readonly id: number; readonly work: ThreadWork }
  /** The answer to `ready`: the call runs there, or it was taken back. */
  | { readonly type: 'go' | 'no'; readonly id: number }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'text'; readonly path: string; readonly text: string | undefined }
  | { readonly type: 'reply'; readonly ask: number; readonly ok: boolean }
  | { readonly type: 'ping' };

/** What the thread tells. */
export type FromThread =
  /** Everything for a call is loaded: it waits for `go`. */
  | { readonly type: 'ready'; readonly id: number }
  | { readonly type: 'end'; readonly id: number; readonly outcome: WorkOutcome }
  | { readonly type: 'want'; readonly path: string }
  | Ask
  | { readonly type: 'pong' }
  /** Something failed that no call waits for. */
  | { readonly type: 'late'; readonly text: string };

/** A function asks its thread of messages for something. */
export interface Ask {
  readonly type: 'ask';
  readonly ask: number;
  readonly id: number;
  readonly of: 'state' | 'child';
  readonly does: 'setEnv' | 'notifyParent';
  readonly name: string;
  readonly value: string;
  readonly kind?: 'text' | 'secret';
}

export interface ArgsProblem {
  readonly path: string;
  readonly message: string;
}

/** What came of a piece of work. */
export type WorkOutcome =
  | { readonly kind: 'value'; readonly value: JsonValue | undefined }
  | {
      readonly kind: 'result';
      readonly status: 'success' | 'error';
      readonly text: string;
      readonly attachments: readonly string[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly ArgsProblem[] }
  | { readonly kind: 'threw'; readonly text: string; readonly aborted: boolean }
  | { readonly kind: 'not-json'; readonly text: string };
