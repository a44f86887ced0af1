import type { ApprovalResolve, AskedCall, GivenBudget, StallRules } from '@cuebook/engine';
import type { KeptSources, RunUpdate } from '@cuebook/host';
import type { JsonValue } from '@cuebook/prompt';
import type { PathFacts } from '@cuebook/workspace';
import type { CapabilitiesInput } from '../capability/capabilities.js';
import type { GlobalMode } from '../capability/global-mode.js';
import type { ServedTool } from '../capability/served.js';
import type { EdgeType } from '../graph/edge.js';
import type { NodeSpec, NodeText } from '../graph/node.js';
import type { FactPlaces } from '../graph/places.js';
import type { RunMode } from '../prompt/task.js';
import type { RoleTemplate } from '../role/template.js';
import type { LimitsInput } from './limits.js';

type BudgetInput = GivenBudget;

/** Starts a run with its graph. Edges name nodes by alias. */
export type RunStart = {
  readonly type: 'run.start';
  readonly run: string;
  readonly by: string;
  readonly mode: RunMode;
  readonly globalMode: GlobalMode;
  readonly goal: NodeText | null;
  readonly done: readonly NodeText[];
  readonly nodes: readonly (NodeSpec & { readonly budget?: BudgetInput | undefined })[];
  readonly edges: readonly EdgeInput[];
  readonly roles: readonly RoleTemplate[];
  readonly providers: readonly string[];
  readonly verify: readonly string[];
  readonly budget: BudgetInput;
  /** Whether every provider of the run has a known price. */
  readonly priced: boolean;
  readonly limits?: LimitsInput;
  readonly stall?: Partial<StallRules>;
  /** The team file and the templates of the repository, as they are now. */
  readonly sources?: KeptSources;
};

/** What a version of the project says of a team. */
export type TeamVersion = Pick<RunStart, 'goal' | 'done' | 'verify' | 'edges' | 'roles'> & {
  readonly nodes: readonly NodeSpec[];
};

/** An edge as a person writes it. */
export type EdgeInput = {
  readonly from: string;
  readonly to: string;
  readonly type?: EdgeType | undefined;
  readonly bidirectional?: boolean | undefined;
  readonly label?: string | undefined;
  readonly at?: FactPlaces | undefined;
};

/** What people and drivers say to a run. */
export type TeamCommand =
  | RunStart
  /** `interrupt`: also ends the turns in flight; they go on when the run is resumed. */
  | { readonly type: 'run.pause'; readonly by: string; readonly interrupt?: boolean }
  | { readonly type: 'run.resume'; readonly by: string }
  | { readonly type: 'run.stop'; readonly by: string }
  | { readonly type: 'run.finish'; readonly ok: boolean; readonly summary: string; readonly by: string }
  | {
      readonly type: 'run.mode';
      readonly mode?: RunMode;
      readonly globalMode?: GlobalMode;
      readonly by: string;
    }
  /** Changes what bounds the run, from now on. What runs is not ended, and nodes that are there stay. */
  | { readonly type: 'run.limit'; readonly limits: LimitsInput; readonly by: string }
  /** `interrupt`: ends the turn in flight first; the message then comes before all others. */
  | {
      readonly type: 'node.message';
      readonly node: string;
      readonly text: string;
      readonly interrupt?: boolean;
      /** A context pack, or another text of the run, that it refers to. */
      readonly contextRef?: string;
      readonly by: string;
    }
  | { readonly type: 'node.interrupt'; readonly node: string; readonly by: string }
  | { readonly type: 'node.reset'; readonly node: string; readonly by: string }
  | { readonly type: 'node.resume'; readonly node: string; readonly by: string }
  | { readonly type: 'node.configure'; readonly node: string; readonly to: NodeChange; readonly by: string }
  | { readonly type: 'node.add'; readonly node: NodeSpec; readonly by: string }
  | { readonly type: 'edge.add'; readonly edge: EdgeInput; readonly by: string }
  /** The team file and its templates are those of another version from now on. */
  | RunUpdate<TeamVersion>
  /** A template file has changed. What an agent changed counts only after a person has allowed it. */
  | {
      readonly type: 'role.update';
      readonly role: RoleTemplate;
      readonly changedBy: 'person' | 'agent';
      readonly by: string;
    }
  | ApprovalResolve
  | {
      readonly type: 'budget.raise';
      /** `run`, or `node/ID`. */
      readonly scope: string;
      readonly to: BudgetInput;
      readonly by: string;
    }
  /** What the MCP servers of the run offer now. */
  | {
      readonly type: 'servers.list';
      readonly tools: readonly ServedTool[];
      readonly problems: readonly string[];
    }
  /** The agent calls one of our tools in mid-turn. The answer is `{ call }`. */
  | { readonly type: 'native.call'; readonly effect: string; readonly call: AskedCall }
  /** The agent asks before it acts by itself. The answer is `{ approval }`, or `{ permit, reason }`. */
  | {
      readonly type: 'native.approve';
      readonly effect: string;
      readonly tool: string;
      readonly input: JsonValue;
      /** These are words of the agent and its model about what they want, not what a program runs. */
      readonly claimed?: boolean;
      /** Which try of the turn asks; left out: the first. */
      readonly attempt?: number;
      /** What the disk says of the paths that the input names. */
      readonly paths?: readonly PathFacts[];
    }
  /** The turn goes on with a session that another machine had: with its files, or told anew. */
  | {
      readonly type: 'native.move';
      readonly effect: string;
      readonly from: string;
      readonly to: string;
      readonly carried: boolean;
    }
  /** The answer to an approval goes to the agent now. */
  | {
      readonly type: 'native.tell';
      readonly effect: string;
      readonly approval: string;
      readonly attempt?: number;
    };

/** What a person may change about a node between turns. */
export type NodeChange = {
  readonly provider?: string | undefined;
  readonly model?: string | null | undefined;
  readonly override?: string | null | undefined;
  readonly capabilities?: CapabilitiesInput | undefined;
};
