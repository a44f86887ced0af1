import type { JsonValue } from '@cuebook/prompt';

/** What a person says to a run of any kind. Each kind turns it into a command of its own, or refuses it. */
export type Word =
  /** Words for the run, or for one lane of it: a node of a team. */
  | {
      readonly type: 'say';
      readonly text: string;
      readonly lane?: string;
      /** Paths of files of the project. */
      readonly attachments?: readonly string[];
    }
  | ({ readonly type: 'approve'; readonly approval: string } & Permission)
  /** What became of an effect that was begun when a process died. */
  | { readonly type: 'settle'; readonly effect: string; readonly outcome: Settlement }
  | { readonly type: 'raise'; readonly to: Amounts; readonly lane?: string }
  | { readonly type: 'resume'; readonly lane?: string }
  /** Ends the turn under way; the run waits for a person. */
  | { readonly type: 'interrupt'; readonly lane?: string }
  /** Takes up what an earlier process left: it is done by being opened. */
  | { readonly type: 'go-on' }
  /** Ends the run. */
  | { readonly type: 'stop' }
  | { readonly type: 'finish'; readonly ok: boolean; readonly summary: string };

export type Permission =
  | { readonly decision: 'allow'; readonly grant?: boolean }
  | { readonly decision: 'deny'; readonly message?: string }
  | { readonly decision: 'change'; readonly input: JsonValue };

/** `not-done`: it is done again. `unknown`: the agent is told that nobody knows. */
export type Settlement = 'not-done' | 'unknown' | { readonly result: string };

export type Amounts = {
  readonly turns?: number;
  readonly tokens?: number;
  readonly usd?: number;
  /** What limits leave: whatever the budget is else, it is no more than this. Only a host says it. */
  readonly most?: { readonly tokens?: number; readonly usd?: number };
};
