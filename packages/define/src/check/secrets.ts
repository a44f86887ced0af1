import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import type { Catalog, DefinitionEntry } from '../load/catalog.js';
import { problemAt } from '../shape/read-shape.js';
import { textsForModels } from './texts.js';
import { type Declarations, secretDeclaration } from './variables.js';

/** A value that a definition gives to a secret variable. */
interface GivenSecret {
  readonly name: string;
  readonly value: string;
  readonly by: DefinitionEntry<unknown>;
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
    by: DefinitionEntry<unknown>,
    path: readonly PropertyKey[],
    env: Readonly<Record<string, string>>,
  ): void => {
    for (const [name, value] of Object.entries(env)) {
      if (secretDeclaration(declarations, name) !== undefined)
        found.push({ name, value, by, path: [...path, name] });
    }
  };
  const { agents, prompts, sketches } = catalog;
  for (const agent of [...agents.values(), ...sketches.agents]) take(agent, ['env'], agent.data.env);
  for (const prompt of [...prompts.values(), ...sketches.prompts]) {
    take(prompt, ['env'], prompt.data.env);
    prompt.data.tools.forEach((tool, index) => {
      take(prompt, ['tools', index, 'env'], tool.env ?? {});
    });
  }
  return found;
}
