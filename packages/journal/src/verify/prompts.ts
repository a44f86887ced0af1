import { guard } from '@cuebook/guard';
import { z } from 'zod';
import type { Store } from '../contract.js';
import { longHash, shortDigest } from '../turn/digest.js';
import { decodeRecorded, unpack } from '../turn/manifest/decode.js';
import type { ManifestBlock, ManifestRequest, TurnManifest } from '../turn/manifest/manifest.js';
import { type BlobReader, blobReader, readBlock } from '../turn/manifest/texts.js';
import { UnreadableReceipt } from '../turn/manifest/unreadable.js';
import {
  type Ended,
  type Receipt,
  type Recorded,
  type SaidReceipt,
  type ToolUseData,
  toolUseSchema,
} from '../turn/receipt.js';
import type { BlockEntry } from '../turn/shape.js';
import type { VerifyProblem } from './problem.js';

/** Rebuilds prompts one after the other, in the order of the log. */
export interface PromptCheck {
  check(seq: number, receipt: Receipt): Promise<readonly VerifyProblem[]>;
  /** The first turn and part of it that uses a blob, by `sha256:…`. */
  readonly placeOfBlob: ReadonlyMap<string, PartPlace>;
  /** Blobs that were asked for and whose content was deleted on request, each once. */
  readonly deleted: ReadonlySet<string>;
}

/** A part of a turn: a block of its prompt by name, what stands beside the blocks, or a part of its answer. */
export interface PartPlace {
  readonly turn: string;
  readonly part: string;
}

/** Content that was deleted on request is no problem: the store has it on record. */
export function createPromptCheck(store: Pick<Store, 'getBlob'>): PromptCheck {
  const reader = blobReader(store);
  const manifests = new Map<number, TurnManifest>();
  const placeOfBlob = new Map<string, PartPlace>();
  const deleted = new Set<string>();
  /** Whether a block that was looked at is whole: its problem is told once, however many turns repeat it. */
  const looked = new WeakMap<ManifestBlock, boolean>();

  const checkBlock = async (block: ManifestBlock, told: Told): Promise<string | undefined> => {
    const known = looked.get(block);
    if (known !== undefined) return known ? (await readBlock(block, reader)).text : undefined;
    for (const [hash] of block.parts) note(hash, told.turn, block.name);
    for (const { hash } of block.media ?? []) note(hash, told.turn, block.name);
    const text = await told.orProblem(async () => (await readBlock(block, reader)).text, block.name);
    looked.set(block, text !== undefined);
    return text;
  };

  const note: Note = (short, turn, part) => {
    const hash = longHash(short);
    if (!placeOfBlob.has(hash)) placeOfBlob.set(hash, { turn, part });
  };

  const checkRequest = async ({ blocks, whole }: ManifestRequest, told: Told): Promise<void> => {
    const texts: (string | undefined)[] = [];
    for (const block of blocks) texts.push(await checkBlock(block, told));
    if (texts.includes(undefined)) return;
    const text = texts.filter((each) => each !== '').join('\n\n');
    if (guard('verify.whole', shortDigest(text) !== whole)) {
      told.add('the hash of the whole prompt is wrong');
    }
  };

  const checkRecorded = async (seq: number, data: Recorded, told: Told): Promise<void> => {
    for (const [part, packed] of packedBlobs(data)) note(packed, data.turn, part);
    const base = data.base === undefined ? undefined : manifests.get(data.base);
    const manifest = await told.orProblem(() => decodeRecorded(data, base, reader.packed));
    if (manifest === undefined) {
      for (const entry of newBlocks(data)) {
        const parts = entry.parts ?? [[entry.hash] as const];
        for (const [hash] of parts) note(hash, data.turn, entry.name);
      }
      return;
    }
    manifests.set(seq, manifest);
    await checkRequest(manifest, told);
    if (manifest.delta !== undefined) await checkRequest(manifest.delta, told);
  };

  return {
    placeOfBlob,
    deleted,
    check: async (seq, { type, data }) => {
      const told = createTold(data.turn, seq, deleted);
      if (type === 'turn.recorded') await checkRecorded(seq, data, told);
      if (type === 'turn.ended') {
        await checkEnd(data, reader, told, note);
      }
      return told.problems;
    },
  };
}

type Note = (short: string, turn: string, part: string) => void;

async function checkEnd(data: Ended, reader: BlobReader, told: Told, note: Note): Promise<void> {
  const { calls = [], said, reasoning } = data;
  if (typeof calls === 'string') note(calls, data.turn, 'calls');
  const uses = await told.orProblem(() => unpack(calls, z.array(toolUseSchema), reader.packed), 'calls');
  const parts: readonly (readonly [string, SaidReceipt | ToolUseData['input']])[] = [
    ['response', said],
    ['reasoning', reasoning],
    ...(uses ?? []).flatMap(({ id, input, badInput, output }) =>
      [input, badInput, output].map((each) => [id, each] as const),
    ),
  ];
  for (const [part, hash] of parts) {
    if (typeof hash !== 'string') continue;
    note(hash, data.turn, part);
    await told.orProblem(() => reader.bytes(hash), part);
  }
}

/** The blocks that a receipt brings itself, also where what it goes on from is lost. */
const newBlocks = ({ blocks }: Recorded): readonly BlockEntry[] =>
  typeof blocks === 'string'
    ? []
    : blocks.filter((each) => !Array.isArray(each)).map((each) => each as BlockEntry);

function packedBlobs({ blocks, tools, params, redactions, spans, delta }: Recorded) {
  const parts = { blocks, tools, params, redactions, spans };
  const ofDelta = { blocks: delta?.blocks, tools: delta?.tools, params: delta?.params };
  return [...Object.entries(parts), ...Object.entries(ofDelta)].flatMap(([part, each]) =>
    typeof each === 'string' ? [[part, each] as const] : [],
  );
}

/** Collects the problems of one receipt. */
interface Told {
  readonly turn: string;
  readonly problems: readonly VerifyProblem[];
  add(what: string, block?: string): void;
  /** Undefined when it cannot be read; that is a problem unless the content was deleted on request. */
  orProblem<Value>(work: () => Promise<Value>, block?: string): Promise<Value | undefined>;
}

function createTold(turn: string, seq: number, deleted: Set<string>): Told {
  const problems: VerifyProblem[] = [];
  const add = (what: string, block?: string): void => {
    const message = `Turn ${turn} cannot be rebuilt: ${what}`;
    problems.push({ code: 'E_VERIFY_TURN', message, turn, seq, ...(block === undefined ? {} : { block }) });
  };
  return {
    turn,
    problems,
    add,
    orProblem: async (work, block) => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof UnreadableReceipt)) throw error;
        if (error.deleted === undefined) add(error.message, block);
        else deleted.add(longHash(error.deleted));
        return undefined;
      }
    },
  };
}
