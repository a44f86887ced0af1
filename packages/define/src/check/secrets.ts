import type { Diagnostic } from '@cuebook/prompt';
import { guard } from '../guard.js';
import type { Catalog, Entry } from '../load/catalog.js';
import { problemAt } from '../shape/read-shape.js';
import { type Declarations, secretDeclaration } from './variables.js';

/** A value that a definition gives to a secret variable. */
interface GivenSecret {
  readonly name: string;
  readonly value: string;
  readonly by: Entry<unknown>;
  readonly path: readonly PropertyKey[];
}

/** Values of secrets that stand in definitions, and texts for models that repeat one of them. */
export function checkSecretValues(catalog: Catalog, declarations: Declarations): readonly Diagnostic[] {
  const given = givenSecrets(catalog, declarations);
  if (given.length === 0) return [];
  const kept = given.map(({ name, by, path }) =>
    problemAt(by.source, path, {
      code: 'W_SECRET_IN_SOURCE',
      severity: 'warning',
      message: `The value of the secret "${name}" is written in a definition. Hand it in when the agent runs`,
    }),
  );
  const told = [...textsForModels(catalog)].flatMap(({ by, path, text }) =>
    given
      .filter(({ value }) =>
        guard('check.secret-literal', value.length >= MIN_SECRET && text.includes(value)),
      )
      .map(({ name }) =>
        problemAt(by.source, path, {
          code: 'E_SECRET_IN_PROMPT',
          severity: 'error',
          message: `The value of the secret "${name}" stands in a text that goes to a model`,
        }),
      ),
  );
  return [...kept, ...told];
}

/** Shorter values would be found in ordinary words. */
const MIN_SECRET = 6;

function givenSecrets(catalog: Catalog, declarations: Declarations): readonly GivenSecret[] {
  const found: GivenSecret[] = [];
  const take = (
    by: Entry<unknown>,
    path: readonly PropertyKey[],
    env: Readonly<Record<string, string>>,
  ): void => {
    for (const [name, value] of Object.entries(env)) {
      if (secretDeclaration(declarations, name) !== undefined)
        found.push({ name, value, by, path: [...path, name] });
    }
  };
  for (const agent of catalog.agents.values()) take(agent, ['env'], agent.data.env);
  for (const prompt of catalog.prompts.values()) {
    take(prompt, ['env'], prompt.data.env);
    for (const [index, tool] of prompt.data.tools.entries())
      take(prompt, ['tools', index, 'env'], tool.env ?? {});
  }
  return found;
}

interface ModelText {
  readonly by: Entry<unknown>;
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

function* textsForModels(catalog: Catalog): Iterable<ModelText> {
  for (const by of catalog.prompts.values()) {
    const { prompt, toolDescription } = by.data;
    yield { by, path: ['toolDescription'], text: toolDescription };
    if (typeof prompt === 'string') yield { by, path: ['prompt'], text: prompt };
    else {
      for (const [index, part] of prompt.entries()) {
        if (part.type === 'text') yield { by, path: ['prompt', index, 'content'], text: part.content };
      }
    }
  }
  for (const by of catalog.tools.values()) yield { by, path: ['description'], text: by.data.description };
  for (const by of catalog.agents.values()) {
    if (by.data.toolDescription !== undefined)
      yield { by, path: ['toolDescription'], text: by.data.toolDescription };
  }
}
