import { parseTemplate, type Rendered, type Template } from '@cuebook/template';
import Handlebars from 'handlebars';
import { measure, print } from './measure.js';
import { type Data, freshData, goTemplate, handlebars, LAYERS, PARTIALS } from './workload.js';

// A layered prompt with loops, conditions and partials, rendered with spans by both back ends of the template
// engine, by Handlebars, and by hand-written concatenation, which is the ceiling.

const hbs = Handlebars.create();
for (const [name, nodes] of Object.entries(PARTIALS)) hbs.registerPartial(name, handlebars(nodes));
const theirSource = LAYERS.map(({ nodes }) => handlebars(nodes)).join('');
const theirs = hbs.compile(theirSource, { noEscape: true });

const ourSource = goTemplate();
const parsed = (engine: 'code' | 'closures' | 'auto'): Template => {
  const template = parseTemplate({ name: 'prompt', text: ourSource, engine });
  if (!template.ok) throw new Error(template.error.message);
  return template.value;
};
const ours = (template: Template, data: Data): Rendered => {
  const rendered = template.render(data);
  if (!rendered.ok) throw new Error(rendered.error.message);
  return rendered.value;
};

const code = parsed('code');
const closures = parsed('closures');
const sizes: readonly [label: string, size: number][] = [
  ['4 KB', 3],
  ['17 KB', 13],
];
let failed = false;
const bar = (title: string, ratio: number, least: number): void => {
  console.log(
    `  ${title.padEnd(44)} ${ratio.toFixed(2).padStart(9)}x  ${ratio >= least ? 'at least' : 'LESS THAN'} ${least}`,
  );
  failed ||= ratio < least;
};

for (const [label, size] of sizes) {
  const fresh = (n: number): Data => freshData(n, size);
  for (const data of [0, 1, 7].map(fresh)) {
    const text = theirs(data);
    const all = [
      ours(code, data).text,
      ours(closures, data).text,
      ours(parsed('auto'), data).text,
      byHand(data),
    ];
    if (all.some((other) => other !== text)) throw new Error('the outputs differ');
  }
  const sample = ours(code, fresh(0));
  const times = await measure({
    fresh,
    contenders: [
      { name: 'Handlebars, compiled', run: (data) => theirs(data) },
      { name: 'cuebook, code, with spans', run: (data) => ours(code, data) },
      { name: 'cuebook, closures, with spans', run: (data) => ours(closures, data) },
      { name: 'cuebook, code, and every span read', run: (data) => ours(code, data).spans },
      { name: 'hand-written concatenation', run: byHand },
    ],
    calls: 1000,
  });
  print(`\n${label}: ${sample.bytes.length} bytes, ${sample.spans.length} spans`, times);
  const [base = 0, byCode = 1, byClosures = 1] = times.values();
  bar('code to Handlebars', base / byCode, 3);
  bar('closures to Handlebars', base / byClosures, 2);

  const once = await measure({
    fresh,
    contenders: [
      {
        name: 'Handlebars, compile and render',
        run: (data) => hbs.compile(theirSource, { noEscape: true })(data),
      },
      { name: 'cuebook, parse and render', run: (data) => ours(parsed('auto'), data) },
    ],
    calls: 100,
  });
  print(`\n${label}, compiled each time`, once);
  const [theirOnce = 0, ourOnce = 1] = once.values();
  bar('parse and render to Handlebars', theirOnce / ourOnce, 10);
}

globalThis.gc?.();
const before = process.memoryUsage();
const kept = Array.from({ length: 10_000 }, () => parsed('code'));
for (const [n, template] of kept.entries()) ours(template, freshData(n, 1));
globalThis.gc?.();
const after = process.memoryUsage();
const megabytes = (after.heapUsed + after.external - before.heapUsed - before.external) / 2 ** 20;
console.log(
  `\n${kept.length} compiled templates of ${ourSource.length} bytes, each rendered once: ${megabytes.toFixed(0)} MB`,
);
failed ||= megabytes > 200;
console.log(failed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = failed ? 1 : 0;

/** What somebody would write for this one prompt. */
function byHand(data: Data): string {
  const partial = (name: string): string => {
    const [first] = PARTIALS[name] ?? [];
    return first && 'literal' in first ? first.literal : '';
  };
  const list = (value: Data[string] | undefined): readonly Data[] => value as readonly Data[];
  let text = `You are ${data.agent}, one of several agents in a graph. Work is visible: every word you are told and every word you say is kept.\n\n`;
  text += partial('safety') + partial('tone') + partial('loops') + partial('output');
  text += `Mode: ${data.mode}. `;
  if (data.planning) text += 'Read only. Write nothing but documents, and say when code must change. ';
  text += 'Tools\n';
  for (const tool of list(data.tools)) {
    text += `### ${tool.name}\n${tool.about}\nParameters:\n`;
    for (const param of list(tool.params)) text += `- ${param.name} (${param.type}): ${param.about}\n`;
  }
  text += `Objective: ${data.objective}\nDone when: ${data.done}\n\nIncoming\n`;
  for (const handoff of list(data.handoffs)) {
    text += `From ${handoff.from}: ${handoff.message}\n`;
    for (const artifact of list(handoff.artifacts)) {
      text += `  artifact: ${artifact.ref} (kept whole, referenced by its hash)\n`;
    }
  }
  return text;
}
