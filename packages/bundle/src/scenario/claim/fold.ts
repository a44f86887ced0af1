// How a text is read before names are looked for in it: what looks alike is alike, what nobody sees is not there.

/** Compatibility forms and accents aside, without characters that nobody sees. Case stays. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(/[’‘ʼ′＇`´]/g, "'");

/** Letters of other scripts, and digits between letters, as the Latin letters that they look like. */
export function latin(text: string, one: 'i' | 'l'): string {
  const letters = text.replace(LOOKALIKE, (char) => LOOKALIKES.get(char) ?? char);
  return letters.replace(/[\p{L}@$!|0-9]+/gu, (word) =>
    /\p{L}/u.test(word) && /[@$!|0-9]./u.test(word)
      ? word.replace(LEET, (char) => LEETS.get(char) ?? one)
      : word,
  );
}

/** Kana and the vowel signs of other scripts are no accents. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\u3099\u309a])(?=\p{M})\p{Script=Inherited}/gu;

const PAIRS: readonly (readonly [alike: string, latin: string])[] = [
  // Cyrillic
  ['АВЕКМНОРСТХУІЈЅԌЅԚԜҮЗ', 'ABEKMHOPCTXYIJSGSQWY3'],
  ['авекмнорстхуіјѕһԁԛԝӏүгпиь', 'abekmhopctxyijshdqwlyrnub'],
  // Greek
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['αβγεηικνορτυχω', 'abyenikvoptuxw'],
  // Latin letters of their own
  ['ıɑɡʀɴʟɪʏʜʙɢᴀᴄᴅᴇᴊᴋᴍᴏᴘʀꜱᴛᴜᴠᴡᴢłøđħŧɩɫƚƙɓɗ', 'iagrnlIyhbgacdejkmoprstuvwzlodhtillkbd'],
  // Armenian, Cherokee, Lisu
  ['օոսհցԼՏՍ', 'onuhgLSU'],
  ['ᎪᏴᏟᎠᎬᎻᏂᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ', 'ABCDEHhJKLMPRSTVWZ'],
  ['ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'BPDTGKJCZFMNLSRVHWXYAEIOU'],
];
const LOOKALIKES = new Map(
  PAIRS.flatMap(([alike, letters]) => [...alike].map((char, at) => [char, letters[at] ?? char] as const)),
);
const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'gu');
const LEETS = new Map([...'03457@$!'].map((char, at) => [char, 'oeastasi'[at] as string]));
/** A mark at the end of a word ends a sentence. */
const LEET = /[013457@$]|[!|](?=\p{L})/gu;
