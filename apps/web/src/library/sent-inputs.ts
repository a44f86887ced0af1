/** Texts for the inputs of a sheet, by the names of the inputs. */
export type SheetInputs = Readonly<Record<string, string>>;

/** What a call sends of them: nothing where none is filled in, or the target is no sheet. */
export const sentInputs = (target: string, inputs: SheetInputs): { readonly inputs?: SheetInputs } =>
  target.trim().startsWith('sheet:') && Object.keys(inputs).length > 0 ? { inputs } : {};
