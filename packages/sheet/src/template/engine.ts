type Engine = typeof import('@cuebook/template');

let engine: Engine | undefined;

/** Loads what executes templates. Most sheets have none, and a command loads what it uses. */
export async function loadEngine(): Promise<void> {
  engine ??= await import('@cuebook/template');
}

/** What executes templates. Whoever reads a sheet with a template has loaded it. */
export function templateEngine(): Engine {
  if (engine === undefined) throw new Error('The template engine was not loaded with the sheet');
  return engine;
}
