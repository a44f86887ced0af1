/** Who says what we say for the user. */
export const NOTE_BY = 'cuebook';

/** A person cannot speak in our name. */
export const person = (by: string): string => (by === NOTE_BY || by === '' ? 'somebody' : by);
