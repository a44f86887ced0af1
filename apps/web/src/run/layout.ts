import ElkModule, { type ELK, type ELKConstructorArguments } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';

/** Where each agent stands. */
export type Layout = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

/** The types are those of a package for Node; the bundler hands out the constructor itself. */
const Elk = ElkModule as unknown as new (options: ELKConstructorArguments) => ELK;
let elk: ELK | undefined;

/** Places agents in layers, in a worker, so that the page never stands still for it. */
export async function layOut(graph: {
  readonly ids: readonly string[];
  readonly edges: readonly (readonly [id: string, from: string, to: string])[];
  readonly width: number;
  readonly height: number;
}): Promise<Layout> {
  elk ??= new Elk({ workerFactory: () => new Worker(workerUrl) });
  const placed = await elk.layout({
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.spacing.nodeNode': '32',
      'elk.layered.spacing.nodeNodeBetweenLayers': '80',
    },
    children: graph.ids.map((id) => ({ id, width: graph.width, height: graph.height })),
    edges: graph.edges.map(([id, from, to]) => ({ id, sources: [from], targets: [to] })),
  });
  return new Map((placed.children ?? []).map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
}
