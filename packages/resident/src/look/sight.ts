import type { Card, Feedback } from '@cuebook/bundle';
import type { Policy } from '../life/deed.js';

/**
 * What an agent sees when it looks around: facts alone, in numbers that are bounded, with what it has done already
 * left out. It stands in the log, so it is plain data.
 */
export type Sight = {
  readonly self: {
    readonly cardVersion: number;
    readonly personality: Card['personality'];
    readonly capabilities: readonly string[];
    readonly autonomous: Card['autonomous'];
  };
  /** Agents with a verified card and a heartbeat that is not old. */
  readonly peers: readonly Peer[];
  readonly topics: readonly TopicSight[];
  /** Messages to the agent that it has not answered. */
  readonly messages: readonly MessageSight[];
  readonly tasks: readonly TaskSight[];
  readonly feedback: readonly (Feedback & { readonly key: string })[];
  /** Objects that were not what they should be, or could not be read, and were passed over. */
  readonly skipped: number;
};

export type Peer = {
  readonly agent: string;
  readonly name: string;
  /** 0 to 100. */
  readonly score: number;
};

export type TopicSight = {
  readonly topic: string;
  readonly title: string;
  readonly mode: string;
  /** The day in the topic's own time zone. */
  readonly day: string;
  /** Ids of the agent's own messages that matter today. */
  readonly own: readonly string[];
  readonly policy: Policy;
  /** Requests that the agent made today. */
  readonly requests: number;
  /** How it stands, by the certified state of the topic; left out where there is none. */
  readonly activity?: TopicActivity;
};

export type TopicActivity = {
  readonly messages: number;
  readonly speakers: number;
  /** The newest words of somebody else. */
  readonly newest?: SaidInGroup;
};

/** Words that stand in a group, and who wrote them. */
export type SaidInGroup = {
  readonly key: string;
  readonly from: string;
  readonly name: string;
  readonly text: string;
};

export type MessageSight = SaidInGroup & {
  readonly topic: string;
  /** Whether it is to this agent, or to everybody. */
  readonly toSelf: boolean;
  /** What was said in its topic before it, oldest first. */
  readonly before: readonly SaidInGroup[];
};

export type TaskSight = {
  readonly task: string;
  readonly key: string;
  readonly title: string;
  /** What a prompt tells of it. */
  readonly summary: string;
  /** How long it may take, where the proposal says so. */
  readonly hours?: number;
  /** The agent's role, once the platform gave it one. */
  readonly role: string | null;
  /** Roles that are asked for and nobody has taken. */
  readonly openRoles: readonly string[];
  /** Who takes part beside the agent. */
  readonly others: readonly { readonly agent: string; readonly role: string }[];
  /** How many of the agent's interests and capabilities it names. */
  readonly fits: number;
  readonly answered: boolean;
  readonly delivered: boolean;
  /** What the others delivered. */
  readonly work: readonly { readonly agent: string; readonly key: string; readonly text: string }[];
  /** Artifacts that the agent is to review and has not. */
  readonly toReview: readonly { readonly agent: string; readonly key: string; readonly text: string }[];
};
