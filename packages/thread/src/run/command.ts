import type { ApprovalResolve, BudgetUnit } from '@cuebook/engine';
import type { KeptSources, RunUpdate } from '@cuebook/host';
import type { EnvLayer } from './env-value.js';
import type { NewMessage } from './message.js';
import type { SideEffects } from './outcome.js';

/** How a thread was called, so that another process can go on by itself. No path of a machine is in it. */
export type ThreadCall = {
  readonly provider?: string;
  readonly model?: string;
  /** The script of a rehearsal, from the project's folder. */
  readonly script?: string;
};

/** What other definitions have, for those who are in use. */
export type UpdateNames = { readonly agents: readonly string[]; readonly prompts: readonly string[] };

/** What people say to a thread. */
export type ThreadCommand =
  | {
      readonly type: 'thread.start';
      readonly agent: string;
      readonly by: string;
      /** The first message; without one it waits for `thread.say`. */
      readonly message: NewMessage | null;
      /** What hooks of the message did. */
      readonly effects: SideEffects | null;
      readonly env: EnvLayer;
      readonly account: EnvLayer;
      readonly instance: EnvLayer;
      readonly budget: { readonly [unit in BudgetUnit]?: number };
      readonly call?: ThreadCall;
      /** The project as it is now. */
      readonly sources?: KeptSources;
    }
  | {
      readonly type: 'thread.say';
      readonly message: NewMessage;
      readonly effects: SideEffects | null;
      readonly by: string;
    }
  /** The definitions are others from the next turn on. `agents`, `prompts`: the names that they have. */
  | RunUpdate<UpdateNames>
  | { readonly type: 'thread.stop'; readonly by: string }
  | { readonly type: 'thread.resume'; readonly by: string }
  /** Changed arguments are held to the tool's own schema before they are given, and again when it runs. */
  | ApprovalResolve
  | {
      readonly type: 'env.change';
      readonly layer: 'thread' | 'account' | 'instance';
      readonly values: EnvLayer;
      readonly by: string;
    }
  | {
      readonly type: 'budget.raise';
      readonly to: { readonly [unit in BudgetUnit]?: number };
      readonly by: string;
    };
