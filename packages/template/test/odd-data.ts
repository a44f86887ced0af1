import fc from 'fast-check';

/** A value that is made when it is used: what cannot be read cannot be printed, and a failing case must be. */
export interface Recipe {
  readonly kind: 'recipe';
  readonly target: string;
  readonly traps: Readonly<Record<string, TrapKind | undefined>>;
  /** What odd traps answer: the first always, or one after the other. */
  readonly answers: readonly unknown[];
}

type TrapKind = 'none' | 'throws' | 'odd' | 'changes';

const TRAPS = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'] as const;

class Counter {
  #reads = 0;
  b = 'own';
  get a(): unknown {
    this.#reads++;
    return this.#reads === 1 ? undefined : { b: this.#reads };
  }
  method(): string {
    return 'm';
  }
}

/** Each anew, because some change when they are read. */
const TARGETS: Readonly<Record<string, () => object>> = {
  empty: () => ({}),
  literal: () => ({ a: { b: 1 }, b: ['x'], constructor: 'own' }),
  cyclic: () => {
    const map: Record<string, unknown> = { b: 'x' };
    map.a = [map];
    return map;
  },
  'own getters': () => {
    let reads = 0;
    return {
      get a(): unknown {
        return reads++ % 2 === 0 ? undefined : { b: reads };
      },
      get b(): unknown {
        throw new Error('no');
      },
    };
  },
  'class getters': () => new Counter(),
  'no prototype': () => Object.assign(Object.create(null), { a: 1, b: { a: null } }),
  inheriting: () => Object.create({ a: 'inherited' }, { b: { value: 'own', enumerable: false } }),
  list: () => Object.assign([1, { a: 2 }, 'x'], { a: 'property of a list' }),
  map: () => new Map<string, unknown>([['a', { b: 1 }]]),
  function: () => Object.assign(() => 'called', { a: 1 }),
  date: () => new Date(0),
  set: () => new Set(['x', { a: 1 }]),
  'map of numbers': () => new Map([[1, { a: 1 }]]),
  bytes: () => new Uint8Array([97, 195]),
  promise: () => Promise.resolve(1),
  error: () => new Error('e'),
  boxed: () => Object('text'),
  iterator: () => [1, 2].values(),
  json: () => {
    let asked = 0;
    return Object.assign(Object.create({ toJSON: () => (asked++ % 2 === 0 ? { a: asked } : 'text') }), {
      b: 1,
    });
  },
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({ a: 1 }, {});
    revoke();
    return proxy;
  },
};

/** Proxies with any traps, and none, around objects of every sort. */
export const oddData: fc.Arbitrary<Recipe> = fc.record({
  kind: fc.constant('recipe' as const),
  target: fc.constantFrom(...Object.keys(TARGETS)),
  traps: fc.record(
    Object.fromEntries(
      TRAPS.map((trap) => [
        trap,
        fc.constantFrom<TrapKind>('none', 'none', 'none', 'throws', 'odd', 'changes'),
      ]),
    ),
  ),
  answers: fc.array(fc.oneof(fc.constantFrom(undefined, null, 'x', 1, {}, { a: 1 }, ['a']), fc.anything()), {
    minLength: 1,
    maxLength: 3,
  }),
});

export const isRecipe = (value: unknown): value is Recipe =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'kind') && 'traps' in value;

/** The value of a recipe, anew: two of them answer alike, read for read. */
export function make({ target, traps, answers }: Recipe): unknown {
  const handler: Record<string, unknown> = {};
  let round = 0;
  for (const trap of TRAPS) {
    const kind = traps[trap] ?? 'none';
    if (kind === 'throws') {
      handler[trap] = () => {
        throw new Error(`no ${trap}`);
      };
    } else if (kind !== 'none') {
      handler[trap] = () => answers[kind === 'odd' ? 0 : round++ % answers.length];
    }
  }
  const made = (TARGETS[target] as () => object)();
  return Object.keys(handler).length === 0 ? made : new Proxy(made, handler);
}
