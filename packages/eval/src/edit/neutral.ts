/** Words that tell and ask nothing, about as long as what they stand for. Never longer than a word more. */
export function neutralWords(length: number): string {
  if (length <= 0) return '';
  let text = '';
  for (let at = 0; text.length < length; at += 1) {
    const word = WORDS[at % WORDS.length] as string;
    text += text === '' ? word : ` ${word}`;
  }
  return text;
}

/** A sentence that is true of every prompt. */
const WORDS = 'This line is part of the text and it is as long as it is here.'.split(' ');
