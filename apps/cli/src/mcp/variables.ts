import type { Catalog, StateView } from '@cuebook/define';
import { createRedactor, type Redactor } from '@cuebook/prompt';

/** The variables that the call of the command handed in, by layer. */
export interface HandedVariables {
  readonly env: Readonly<Record<string, string>>;
  readonly accountEnv: Readonly<Record<string, string>>;
  readonly instanceEnv: Readonly<Record<string, string>>;
}

/** The variables of one server: those that were handed in, and what its tools wrote over them. */
export interface ServerVariables {
  readonly handed: () => HandedVariables;
  readonly view: () => StateView['env'];
  readonly set: (name: string, value: string, type: 'text' | 'secret') => void;
  /** A text without the values of secrets, however they are written in it. */
  readonly mask: (text: string) => string;
  /** What was written, and every secret so far: for a server whose project has changed. */
  readonly carried: () => CarriedVariables;
}

interface CarriedVariables {
  readonly written: ReadonlyMap<string, { readonly value: string; readonly type: 'text' | 'secret' }>;
  readonly secrets: ReadonlySet<string>;
}

export function createVariables(
  catalog: Catalog,
  given: HandedVariables,
  earlier?: CarriedVariables,
): ServerVariables {
  const types = declaredTypes(catalog);
  const written = new Map(earlier?.written);
  // A value once was a secret: it stays one, also when it is written over.
  const secrets = new Set<string>(earlier?.secrets);
  let redactor: Redactor | undefined;
  const view = (): StateView['env'] => {
    const { env, accountEnv, instanceEnv } = given;
    const merged = Object.entries({ ...instanceEnv, ...accountEnv, ...env });
    return {
      ...Object.fromEntries(
        merged.map(([name, value]) => [name, { value, type: types.get(name) ?? 'secret' } as const]),
      ),
      ...Object.fromEntries(written),
    };
  };
  for (const { value, type } of Object.values(view())) if (type === 'secret') secrets.add(value);
  return {
    view,
    carried: () => ({ written, secrets }),
    handed: () => ({
      ...given,
      env: {
        ...given.env,
        ...Object.fromEntries([...written].map(([name, { value }]) => [name, value])),
      },
    }),
    set(name, value, type) {
      written.set(name, { value, type });
      if (type !== 'secret') return;
      secrets.add(value);
      redactor = undefined;
    },
    mask(text) {
      redactor ??= redactorOf(secrets);
      return redactor.redactText(text).text;
    },
  };
}

/** A shorter value would be found in every text. */
const MIN_SECRET = 4;

const redactorOf = (secrets: ReadonlySet<string>): Redactor =>
  createRedactor({
    roots: [],
    private: [],
    names: [],
    credentials: [...secrets].filter((value) => value.length >= MIN_SECRET),
  });

/** Whoever calls a variable a secret is believed, whatever others call it. */
function declaredTypes({ prompts, tools, agents }: Catalog): ReadonlyMap<string, 'text' | 'secret'> {
  const types = new Map<string, 'text' | 'secret'>();
  for (const entries of [prompts, tools, agents]) {
    for (const { data } of entries.values()) {
      for (const { name, type } of data.variables) if (types.get(name) !== 'secret') types.set(name, type);
    }
  }
  return types;
}
