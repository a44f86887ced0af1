import type { TextSource } from '@cuebook/files';
import type { BesideSources, BlockInput, Diagnostic, JsonValue, OfferedTool, Piece } from '@cuebook/prompt';
import type { z } from 'zod';
import type { AnswerJudge } from './answer-judge.js';

/**
 * A kind of prompt: how its sources are found and loaded, checked, and turned into blocks. Command flags,
 * help, routes and screens derive from this one record, so a new kind touches one package.
 */
export interface Profile<Source = unknown, Schema extends z.ZodObject = z.ZodObject> {
  /** The target's prefix: `sheet` in `sheet:review`. */
  readonly prefix: string;
  /**
   * Profiles of one family load the sources of all their targets together and keep them by the source: a change in any
   * file that one of them read may concern every target of the family. Left out: each target reads its own.
   */
  readonly family?: string;
  /** One line for the list of profiles. */
  readonly summary: string;
  /** Command lines that work in a fresh `cuebook init` project, for help. */
  readonly examples: readonly string[];
  /** What a caller may hand in. Each key becomes a flag; `.describe()` is its help. */
  readonly input: Schema;
  /** The names of all targets of this kind in the project, sorted. */
  readonly find: (project: TextSource) => Promise<readonly string[]>;
  /** Problems of the sources that belong to no target, such as a file that cannot be read. */
  readonly problems?: (project: TextSource) => Promise<readonly Diagnostic[]>;
  /** Reads a target's sources. Every problem at once, each with a code, a file and a line. */
  readonly load: (project: TextSource, name: string) => Promise<Loaded<Source>>;
  /** Problems that can be seen without composing. Pure. */
  readonly check: (source: Source) => readonly Diagnostic[];
  /**
   * Whether `compose` refuses by itself what cannot be told, and `check` looks further, into what composing never
   * reaches: then errors of `check` keep nothing from being composed.
   */
  readonly checksFurther?: boolean;
  /** Codes of refusals that `check` tells wherever they would come, at the place where a person changes it. */
  readonly foretells?: readonly string[];
  /** The files that the target is made of. */
  readonly files?: (source: Source) => readonly string[];
  /** Every text of the sources that a model may be told, whether composing reaches it or not. */
  readonly texts?: (source: Source) => readonly SourceText[];
  /** What a caller hands in by name, for whoever writes types of it. */
  readonly takes?: (source: Source) => readonly TakenInput[];
  /** Input that stands for what is missing, so that a target can be checked without a caller. Pure. */
  readonly sample: (source: Source) => z.infer<Schema>;
  /**
   * Sources and input to blocks. Pure and deterministic: same input, same bytes. Words of the `sample` are told to come
   * from where the sample is written.
   */
  readonly compose: (source: Source, input: z.infer<Schema>, how?: ComposeHow) => Composed;
  /** Who judges an answer by the contract of what was composed, loaded when there is one. Left out: every answer is taken. */
  readonly judge?: () => Promise<AnswerJudge>;
}

/** One thing that a target takes. */
export interface TakenInput {
  readonly name: string;
  readonly required: boolean;
  readonly type: 'text' | 'list' | 'json' | 'messages';
  /** The only texts that are taken. */
  readonly values?: readonly string[];
  readonly description?: string;
}

export interface ComposeHow {
  /** The input is the profile's own `sample`, handed in by nobody. */
  readonly isSample?: boolean;
  /** The input was handed in by nobody that the project knows: no part of it is trusted further than `external`. */
  readonly isStranger?: boolean;
}

/** A loaded source, or the problems that kept it from loading. */
export type Loaded<Source> =
  | { readonly ok: true; readonly value: Source; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /**
       * What could be read all the same. `check`, `sample` and `compose` take it as they take a whole source, so that
       * one look tells all that is wrong; nothing that comes of it is ever shown or sent.
       */
      readonly partial?: Source;
    };

/** What a profile hands to the kernel, or why it cannot. */
export type Composed =
  | { readonly ok: true; readonly value: Composition }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** What can be composed all the same, for the gates to look at: never shown or sent. */
      readonly partial?: Composition;
    };

/** Blocks, and what is sent beside them. */
export interface Composition {
  readonly blocks: readonly BlockInput[];
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
  /** Where tools and parameters come from, where that is known. */
  readonly sources?: BesideSources;
  readonly capabilities: readonly string[];
  /** What its author notes about the prompt, for people and tools. It is shown and never sent. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What an answer must be, for the `judge` of the profile. It is in the log of a run: nothing private is in it. */
  readonly contract?: JsonValue;
}

/** A text of a target's sources: pieces that stand end to end. */
export interface SourceText {
  readonly pieces: readonly Piece[];
  /** Names of the inputs that its author may have meant to put into it. */
  readonly inputs?: readonly string[];
  /** Placeholders of other template languages that mean something to who reads it, or are this kind's own. */
  readonly mayHoldPlaceholders?: boolean;
  /** What to do about a placeholder, where it is not an input of a sheet. */
  readonly fix?: string;
}

/** Any profile, with its source and input types forgotten: what a registry holds. */
// biome-ignore lint/suspicious/noExplicitAny: the source type is private to the profile, which alone handles it
export type AnyProfile = Profile<any, z.ZodObject>;
