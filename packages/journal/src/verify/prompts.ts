import { guard } from '@cuebook/guard';
import { z } from 'zod';
import type { Store } from '../contract.js';
import { longHash, shortDigest } from '../turn/digest.js';
import { decodeRecorded, unpack } from '../turn/manifest/decode.js';
import type { Manifest, ManifestBlock, ManifestRequest } from '../turn/manifest/manifest.js';
import { type BlobReader, blobReader, readBlock } from '../turn/manifest/texts.js';
import { Unreadable } from '../turn/manifest/unreadable.js';
import {
  type Ended,
  type Receipt,
  type Recorded,
  type Said,
  type ToolUseData,
  toolUseSchema,
} from '../turn/receipt.js';
import type { VerifyProblem } from './problem.js';

/** Rebuilds prompts one after the other, in the order of the log. */
export interface PromptCheck {
  check(seq: number, receipt: Receipt): Promise<readonly VerifyProblem[]>;
  readonly turnOfBlob: ReadonlyMap<string, string>;
}

/** Content that was deleted on request is no problem: the store has it on record. */
export function createPromptCheck(store: Pick<Store, 'getBlob'>): PromptCheck {
  const reader = blobReader(store);
  const manifests = new Map<number, Manifest>();
  const turnOfBlob = new Map<string, string>();
  /** Whether a block that was looked at is whole: its problem is told once, however many turns repeat it. */
  const looked = new WeakMap<ManifestBlock, boolean>();

  const checkBlock = async (block: ManifestBlock, told: Told): Promise<string | undefined> => {
    const known = looked.get(block);
    if (known !== undefined) return known ? (await readBlock(block, reader)).text : undefined;
    for (const [hash] of block.parts) note(hash, told.turn);
    for (const { hash } of block.media ?? []) note(hash, told.turn);
    const text = await told.orProblem(async () => (await readBlock(block, reader)).text, block.name);
    looked.set(block, text !== undefined);
    return text;
  };

  const note = (short: string, turn: string): void => {
    const hash = longHash(short);
    if (!turnOfBlob.has(hash)) turnOfBlob.set(hash, turn);
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
    for (const packed of packedBlobs(data)) note(packed, data.turn);
    const base = data.base === undefined ? undefined : manifests.get(data.base);
    const manifest = await told.orProblem(() => decodeRecorded(data, base, reader.packed));
    if (manifest === undefined) return;
    manifests.set(seq, manifest);
    await checkRequest(manifest, told);
    if (manifest.delta !== undefined) await checkRequest(manifest.delta, told);
  };

  return {
    turnOfBlob,
    check: async (seq, { type, data }) => {
      const told = createTold(data.turn, seq);
      if (type === 'turn.recorded') await checkRecorded(seq, data, told);
      if (type === 'turn.ended') {
        for (const hash of endBlobs(data)) note(hash, data.turn);
        await checkEnd(data, reader, told, note);
      }
      return told.problems;
    },
  };
}

async function checkEnd(
  data: Ended,
  reader: BlobReader,
  told: Told,
  note: (hash: string, turn: string) => void,
): Promise<void> {
  const { calls = [] } = data;
  const uses = await told.orProblem(() => unpack(calls, z.array(toolUseSchema), reader.packed));
  const said: readonly (Said | ToolUseData['input'])[] = [
    data.said,
    data.reasoning,
    ...(uses ?? []).flatMap(({ input, badInput, output }) => [input, badInput, output]),
  ];
  for (const each of said) {
    if (typeof each !== 'string') continue;
    note(each, data.turn);
    await told.orProblem(() => reader.bytes(each));
  }
}

const endBlobs = ({ said, reasoning, calls }: Ended): readonly string[] =>
  [said, reasoning, calls].filter((each) => typeof each === 'string');

const packedBlobs = ({ blocks, tools, params, redactions, spans, delta }: Recorded): readonly string[] =>
  [blocks, tools, params, redactions, spans, delta?.blocks, delta?.tools, delta?.params].filter(
    (each) => typeof each === 'string',
  );

/** Collects the problems of one receipt. */
interface Told {
  readonly turn: string;
  readonly problems: readonly VerifyProblem[];
  add(what: string, block?: string): void;
  /** Undefined when it cannot be read; that is a problem unless the content was deleted on request. */
  orProblem<Value>(work: () => Promise<Value>, block?: string): Promise<Value | undefined>;
}

function createTold(turn: string, seq: number): Told {
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
        if (!(error instanceof Unreadable)) throw error;
        if (error.deleted === undefined) add(error.message, block);
        return undefined;
      }
    },
  };
}
