import type { JsonValue, Redaction, RedactionKind, Role, Span, ToolCall } from '@cuebook/prompt';
import type { Destination } from '../receipt.js';
import type { BlobPart, MediaRow, SourceRow } from '../shape.js';
import type { FileStamps } from './files.js';
import type { KnownSpans } from './sources.js';

/** A block as the record knows it: everything but the text, and where the text lies. */
export interface ManifestBlock {
  readonly name: string;
  readonly role: Role;
  /** The short hash of the text. */
  readonly hash: string;
  readonly parts: readonly BlobPart[];
  readonly spans: readonly Span[];
  readonly calls?: readonly ToolCall[];
  readonly callId?: string;
  readonly media?: readonly MediaRow[];
}

/** A request as the record knows it. */
export interface ManifestRequest {
  readonly blocks: readonly ManifestBlock[];
  /** The short hash of the one-string projection. */
  readonly whole: string;
  readonly tools: readonly JsonValue[];
  readonly params: Readonly<Record<string, JsonValue>>;
  /** Where tools and parameters come from, by JSON pointer. */
  readonly sources: Readonly<Record<string, SourceRow>>;
  readonly removed: readonly RedactionKind[];
  /** Only where they are others than the spans tell. */
  readonly redactions?: readonly Redaction[];
}

/** One receipt with all its bases applied: what the next one is compared with. */
export interface TurnManifest extends ManifestRequest {
  readonly lane: string;
  readonly turn: string;
  /** What the chain has told of spans so far. */
  readonly told: KnownSpans;
  /** What it has told of files. */
  readonly files: FileStamps;
  readonly delta?: ManifestRequest;
  readonly to: Destination;
  /** How many receipts stand below it in its chain of bases. */
  readonly depth: number;
}

/** A chain of bases is at most this long: then a receipt stands alone again, so that reading one stays cheap. */
export const MAX_DEPTH = 64;
