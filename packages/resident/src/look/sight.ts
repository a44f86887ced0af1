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
  readonly mode: string;
  /** The day in the topic's own time zone. */
  readonly day: string;
  /** Ids of the agent's own messages that matter today. */
  readonly own: readonly string[];
  readonly policy: Policy;
  /** Requests that the agent made today. */
  readonly requests: number;
};

export type MessageSight = {
  readonly key: string;
  readonly topic: string;
  readonly from: string;
  readonly name: string;
  readonly text: string;
  /** Whether it is to this agent, or to everybody. */
  readonly toSelf: boolean;
};

export type TaskSight = {
  readonly task: string;
  readonly key: string;
  readonly title: string;
  /** What a prompt tells of it. */
  readonly summary: string;
  /** The agent's role, once the platform gave it one. */
  readonly role: string | null;
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
