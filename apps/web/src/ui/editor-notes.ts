import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { EditorNote } from './editor.js';
import { plain } from './plain.js';

/** Replaces what is said below lines. */
export const setNotes = StateEffect.define<readonly EditorNote[]>();

/** Notes stand below their lines, and move with them while the text changes. */
export const NOTES = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, state }) {
    let notes = before.map(changes);
    for (const effect of effects) {
      if (!effect.is(setNotes)) continue;
      const placed = effect.value.map((note) => {
        const line = state.doc.line(Math.min(Math.max(1, note.line), state.doc.lines));
        return Decoration.widget({ widget: new Note(note), block: true, side: 1 }).range(line.to);
      });
      notes = Decoration.set(placed, true);
    }
    return notes;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Note extends WidgetType {
  readonly #note: EditorNote;

  constructor(note: EditorNote) {
    super();
    this.#note = note;
  }

  override eq(other: Note): boolean {
    return other.#note.message === this.#note.message && other.#note.severity === this.#note.severity;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = `note ${this.#note.severity}`;
    element.textContent = plain(this.#note.message);
    return element;
  }
}
