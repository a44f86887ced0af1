/**
 * Something that is made when it is asked for, kept, and made again after it was forgotten. The tree and the plan
 * of a template weigh more than its code and its text, and are wanted again only for errors, spans and checks.
 */
export interface Forgetful<Made> {
  readonly get: () => Made;
  readonly forget: () => void;
}

export function forgetful<Made>(make: () => Made): Forgetful<Made> {
  let made: { readonly value: Made } | undefined;
  return {
    get: () => {
      made ??= { value: make() };
      return made.value;
    },
    forget: () => {
      made = undefined;
    },
  };
}
