import { hash as digest } from 'node:crypto';
import { type BlockInput, compose, createRedactor, encodeSpanMap } from '@cuebook/prompt';
import { Dotprompt } from 'dotprompt';
import { measure, print } from './measure.js';
import { freshData, handlebars, LAYERS, PARTIALS, readyBlocks } from './workload.js';

// From ready blocks to a gated prompt (spans, hashes, redaction, gates) against a compiled dotprompt rendering
// of the same text.

const hash = (text: string) => `sha256:${digest('sha256', text)}`;
const redactor = createRedactor({
  roots: [
    ['@project', '/home/quinnray/desk/alpha'],
    ['@state', '/home/quinnray/.local/state/alpha'],
  ],
  private: ['/home/quinnray', '/tmp/quinnray-1000'],
  names: ['quinnray', 'thinkpad-x9'],
});
const gated = (blocks: readonly BlockInput[]) => {
  const result = compose({ blocks, hash, redactor });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

const peer = new Dotprompt();
for (const [name, nodes] of Object.entries(PARTIALS)) peer.definePartial(name, handlebars(nodes));
const source = LAYERS.map(({ role, nodes }) => `{{role "${role}"}}${handlebars(nodes)}`).join('');
const rendered = await peer.compile(source);
const peerText = async (input: Record<string, unknown>) =>
  (await rendered({ input })).messages
    .flatMap(({ content }) => content.map((part) => ('text' in part ? part.text : '')))
    .join('');

let failed = false;
const sizes: readonly [label: string, size: number][] = [
  ['4 KB', 3],
  ['17 KB', 13],
];
for (const [label, size] of sizes) {
  const fresh = (n: number) => {
    const data = freshData(n, size);
    return { data: data as Record<string, unknown>, blocks: readyBlocks(data) };
  };
  for (const { data, blocks } of [0, 1, 7].map(fresh)) {
    const ours = gated(blocks)
      .blocks.map(({ text }) => text)
      .join('');
    if (ours !== (await peerText(data))) throw new Error('the two outputs differ');
  }
  const sample = gated(fresh(0).blocks);
  const bytes = Buffer.byteLength(sample.text);
  const spans = sample.blocks.reduce((sum, block) => sum + block.spans.length, 0);
  const map = encodeSpanMap(sample.blocks);
  const share = ((map.bytes.length / bytes) * 100).toFixed(1);
  const times = await measure({
    fresh,
    calls: 500,
    rounds: 24,
    contenders: [
      { name: 'dotprompt 1.1.2, compiled, rendering', run: ({ data }) => rendered({ input: data }) },
      { name: 'cuebook: spans, hashes, redaction, gates', run: ({ blocks }) => gated(blocks) },
    ],
  });
  print(
    `\n${label}: ${bytes} bytes, ${spans} spans of ${map.sources.length} sources, span map ${map.bytes.length} bytes (${share}%)`,
    times,
  );
  const [theirs = 0, ours = 0] = times.values();
  failed ||= ours > theirs || map.bytes.length > bytes / 10;
}

// Growth: the same prompt four times as large.
const growth = await measure({
  fresh: (n) => ({ small: readyBlocks(freshData(n, 4)), large: readyBlocks(freshData(n, 18)) }),
  contenders: [
    { name: 'small', run: ({ small }) => gated(small) },
    { name: 'large', run: ({ large }) => gated(large) },
  ],
});
const sizeOf = (size: number) => gated(readyBlocks(freshData(0, size))).text.length;
const [small = 1, large = 0] = growth.values();
const scale = sizeOf(18) / sizeOf(4);
const perFour = (large / small) * (4 / scale);
console.log(
  `\ngrowth: ${scale.toFixed(2)} times the bytes cost ${(large / small).toFixed(2)} times the time`,
);
failed ||= perFour > 4.5;
console.log(failed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = failed ? 1 : 0;
