export { besideSources, toolSources } from './beside-sources.js';
export type {
  Attachments,
  Block,
  BlockInput,
  Media,
  Piece,
  Prompt,
  Redaction,
  RedactionKind,
  Role,
  Span,
  ToolCall,
} from './block.js';
export { REDACTION_KINDS, ROLES } from './block.js';
export { type ByteMap, mapBytes } from './byte-map.js';
export { commonHead } from './common-head.js';
export { compose } from './compose.js';
export { type CodeEntry, type Diagnostic, hasErrors } from './diagnostic.js';
export { CONFIDENTIAL_MASK, type RenderDocument, type RenderedBlock, renderDocument } from './document.js';
export { byteAtLine, type Explanation, explain } from './explain.js';
export { findForgers } from './gates.js';
export type { GrowingHash, Hash } from './hash.js';
export {
  describeIncludeError,
  type IncludeError,
  type IncludePart,
  resolveIncludes,
  type Slot,
} from './include.js';
export { jsonPlaces } from './json-places.js';
export { keptPrefix } from './kept-prefix.js';
export {
  isBelow,
  joinLabels,
  type Labels,
  SECRECIES,
  type Secrecy,
  TRUSTS,
  type Trust,
  VOLATILITIES,
  type Volatility,
} from './label.js';
export { type ComposeMemo, createComposeMemo } from './memo/memo.js';
export { nearest } from './nearest.js';
export { neutralBody, printJson, safeJson } from './neutral.js';
export {
  advancePlace,
  decodedOrigin,
  describePlace,
  isVerbatim,
  type Origin,
  type Place,
  type SourcePlace,
} from './origin.js';
export { cutPieces, piecesText, slicePiece } from './piece.js';
export { joinBlocks, toMessages } from './project.js';
export { type ProvenSaving, provenSavings } from './proven-saving.js';
export {
  findCredentials,
  problemWithoutCredentials,
  valueWithoutCredentials,
  withoutCredentials,
} from './redact/credentials.js';
export type { JsonValue, LeakContext } from './redact/leak-context.js';
export { createLiveWords, type LiveWords } from './redact/live-words.js';
export { createRedactor, type Redactor, type Replacement } from './redact/redactor.js';
export { mapStrings } from './redact/value.js';
export { wordCut, wordFrom } from './redact/word-cut.js';
export { describeRefusal, type Refusal } from './refusal.js';
export {
  type BesideSources,
  composeRequest,
  type GatedRequest,
  type OfferedTool,
  type RequestInput,
} from './request.js';
export { fail, ok, type Result } from './result.js';
export { escapeBody } from './shell/escape.js';
export { isOneLine } from './shell/lines.js';
export { escapedPieces } from './shell/marks.js';
export { parseShells } from './shell/parse.js';
export { type LabelledShell, type Phrase, printShells, shellPieces } from './shell/print.js';
export type { ShellField } from './shell/shell.js';
export { openShipped, type ShippedTexts, shippedText, shippedTexts } from './shipped-texts.js';
export { type ShippedTools, shippedTools } from './shipped-tools.js';
export { decodeSpanMap, encodeSpanMap, type SpanSource } from './span-map.js';
export { stablePrefix } from './stable-prefix.js';
export { createTokenCounter, type TokenCount } from './tokens.js';
export { nameTools, type ToolNames } from './tool-names.js';
export { findInvisible, showInvisible } from './visible.js';
