/** What a run is for: thinking and documents, or changes of code. */
export type GlobalMode = 'PLANNING' | 'IMPLEMENTATION';
