import { guard } from '@cuebook/guard';

/**
 * Chat-template tokens: the strings by which a model's tokenizer tells messages, roles and calls apart. A server
 * that does not guard against them reads them as structure wherever they stand. One is broken by one space behind
 * its first character: no tokenizer takes `< |im_start|>` for the token, and everybody can still read it.
 */

/** Tokens of the form `<name>` and `</name>`. Names are exact: most tokenizers tell cases apart. */
const ANGLE_NAMES = [
  // Llama 2, Mistral, Gemma, T5 and whoever took over their vocabularies
  ...['s', 'bos', 'eos', 'pad', 'unk', 'mask', 'extra_id_\\d{1,4}', 'unused\\d{1,5}', 'reserved_\\d{1,5}'],
  // Gemma, GLM, Cohere, CodeLlama, Nemotron, Seed, MiniMax
  ...['(?:start|end)_of_(?:turn|image|audio)', 'sop', 'eop', '(?:[BE]OS|PAD|EOP|UNK|CLS|SEP|MASK)_TOKEN'],
  ...['PRE', 'SUF', 'MID', 'EOT', 'SPECIAL_\\d{1,5}', '(?:seed|minimax):[a-z_]{1,40}'],
  // Qwen, Hermes and others that speak of tools and thoughts in tags of their own
  ...[
    'tool_calls?',
    'tool_response',
    'tool_result',
    'tools',
    'think',
    'function_(?:calls?|results|response)',
  ],
  ...['TOOLCALL', 'TOOL_?RESPONSE', 'AVAILABLE_TOOLS', 'arg_(?:key|value)', 'tool_(?:declare|output)'],
  ...[
    '(?:start|end)_function_(?:call|declaration|response)',
    'escape',
    '(?:function|parameter)=[^\\s<>]{1,100}',
  ],
  ...[
    'invoke',
    '(?:invoke|parameter) name="[^"<>]{0,100}"',
    '(?:role>(?:SYSTEM|HUMAN|ASSISTANT|OBSERVATION)</role|ROLE>(?:SYSTEM|HUMAN|ASSISTANT|OBSERVATION)</ROLE)',
  ],
  // InternLM, XLNet and elders
  ...[
    '(?:beginning|end)_of_sentence',
    'reserved_token_\\d{1,5}',
    'think_o(?:n|ff)',
    'C_[QA]',
    'mask:\\d{1,4}',
  ],
  ...['IMG_CONTEXT', 'functions', 'dmask', 'tts_(?:pad|text_[a-z]{1,8})', 'loc\\d{4}', 'seg\\d{3}'],
  ...['eo[hadt]', 'cls', 'sep', 'UNK', 'CLS', 'SEP', 'TOKENS_UNUSED_\\d{1,4}'],
  // LongCat, TeleChat, MiniCPM
  ...['longcat_[a-z_]{1,40}', '_(?:user|bot|system|start|end|pad)', 'AI', '\\u7528\\u6237'],
  // StarCoder and other models of code
  ...['fim[_-](?:prefix|middle|suffix|pad)', 'file_sep', 'repo_name', 'gh_stars', 'empty_output'],
  ...['issue_(?:start|comment|closed)', 'jupyter_(?:start|text|code|output|script)'],
  ...['commit_(?:before|msg|after)', 'endoftext', 'end_of_text'],
  ...['code_to_intermediate', 'intermediate_to_code', 'pr_(?:status|title|is_merged|base|base_code|file)'],
  ...['pr_(?:comment|event_id|review|review_state|review_comment|diff(?:_hunk(?:_comment_line)?)?)'],
  'pr_in_reply_to_(?:comment|review)_id',
  // Places of pictures, sounds and films
  ...[
    'end_of_utterance',
    'fake_token_around_image',
    'row_\\d{1,2}_col_\\d{1,2}',
    'global-img',
    'ctrl\\d{1,4}',
  ],
  ...['image', 'image_soft_token', 'audio_soft_token', 'audio', 'video', 'img', 'vision_(?:start|end)'],
];

/** Tokens of the form `[NAME]` and `[/NAME]`. */
const BRACKET_NAMES = [
  // Mistral
  ...['INST', 'TOOL_CALLS', 'TOOL_RESULTS', 'TOOL_CONTENT', 'AVAILABLE_TOOLS', 'SYSTEM_PROMPT', 'ARGS'],
  ...['CALL_ID', 'THINK', 'MODEL_SETTINGS', 'PREFIX', 'MIDDLE', 'SUFFIX', 'IMG', 'IMG_BREAK', 'IMG_END'],
  ...['AUDIO', 'BEGIN_AUDIO', 'TRANSCRIBE', 'REF', 'STREAMING_(?:PAD|WORD)', 'control_\\d{1,4}'],
  // GLM and its elders
  ...['gMASK', 'sMASK', 'MASK', 'CLS', 'SEP', 'BOS', 'EOS', 'EOT', 'PAD', 'UNK', 'UNUSED_TOKEN_\\d{1,4}'],
  ...['unused\\d{1,5}', 'multimodal'],
];

/** Names that nobody writes for anything else: there a letter's case means nothing. */
const ANY_CASE_NAMES = [
  ...['(?:start|end)_of_(?:turn|image|audio|text)', 'im_(?:start|end)', 'extra_id_\\d{1,4}', 'end_?of_?text'],
  ...['(?:start|end)_function_(?:call|declaration|response)', 'tool_(?:calls?|response|result)'],
];

const GREATER = '[>\\uff1e\\ufe65]';
/** The bar, and what folds to it or is drawn like it. */
const BAR = '[|\\uff5c\\uffe8\\u2502\\u2223\\u01c0]';
/** Between two bars. No token has white space or a bracket in its name, and `f <| x |> g` is code. */
const NAME = '[^\\s<>|[\\]\\uff1c\\ufe64\\uff1e\\ufe65\\uff5c\\uffe8\\u2502\\u2223\\u01c0]{1,100}';

/** What follows an opener and any number of spaces. Openers never stand inside a token, so tokens never overlap. */
const AFTER_ANGLE = sticky([
  `/?${BAR}(?:[a-z]{1,16}${BAR})?${NAME}${BAR}${GREATER}`,
  // `<ifm|system|>`, `<[begin_of_sentence]>`
  `[a-z]{1,16}${BAR}${NAME}${BAR}${GREATER}`,
  `\\[(?:(?:begin|end)[_\\u2581]of[_\\u2581][a-z_\\u2581]{1,30}|[A-Z]{3,4}[_\\u2581]TOKEN|fim-[a-z]{3,6})\\]${GREATER}`,
  `\\[[A-Z]{3}_never_used_[0-9a-f]{1,40}\\]${GREATER}`,
  // Gemma opens with `<|turn>` and closes with `<turn|>`.
  `${BAR}[a-z][a-z_]{1,30}${GREATER}`,
  `[a-z][a-z_]{1,30}${BAR}${GREATER}`,
  // DeepSeek's tokens open with a full-width bar, and some close otherwise.
  '/?\\uff5c',
  `/?(?:${ANGLE_NAMES.join('|')})>`,
  '</?SYS>>',
]);
const AFTER_ANGLE_ANY_CASE = sticky([`/?(?:${ANY_CASE_NAMES.join('|')})>`], 'i');
const AFTER_OPENING = sticky([`/?(?:${BRACKET_NAMES.join('|')})\\]`, `${BAR}${NAME}${BAR}\\]`, 'e~\\[']);
const AFTER_OPENING_ANY_CASE = sticky(['/?inst\\]'], 'i');
const AFTER_CLOSING = sticky(['~!?b[[\\]]']);
/** `>>TITLE<<` of Falcon: broken behind its second character, and found whether another token begins at its end or not. */
const AFTER_GREATER = sticky([
  '(?:TITLE|ABSTRACT|INTRODUCTION|SUMMARY|COMMENT|ANSWER|QUESTION|DOMAIN|PREFIX|SUFFIX|MIDDLE|UNUSED_\\d{1,3})< *<',
]);

const ANGLE = [AFTER_ANGLE, AFTER_ANGLE_ANY_CASE];
const OPENING = [AFTER_OPENING, AFTER_OPENING_ANY_CASE];
/** Each with what folds to it. */
const OPENERS: readonly (readonly [opener: string, rests: readonly RegExp[]])[] = [
  ...['<', '\uff1c', '\ufe64'].map((opener) => [opener, ANGLE] as const),
  ...['[', '\uff3b', '\ufe47'].map((opener) => [opener, OPENING] as const),
  ...[']', '\uff3d', '\ufe48'].map((opener) => [opener, [AFTER_CLOSING]] as const),
  ['>', [AFTER_GREATER]],
];

/** What begins a turn of the oldest chat format. In a shell such lines are escaped, so they count in loose text alone. */
const TURNS: readonly string[] = ['Human:', 'Assistant:', 'H:', 'A:'];

/** A token in a text, in UTF-16 units. */
export interface ChatToken {
  readonly start: number;
  readonly end: number;
}

/** The tokens that stand whole in a text, in order; `plain`: see `isPlain`. */
export function findChatTokens(text: string, plain = false): readonly ChatToken[] {
  const all = tokensOf(text, plain);
  const whole = all.length === 0 ? all : all.filter(({ start }) => text.charCodeAt(start + 1) !== SPACE);
  const turns = turnsOf(text);
  return turns.length === 0 ? whole : [...whole, ...turns].sort(byStart);
}

function turnsOf(text: string): readonly ChatToken[] {
  let turns: ChatToken[] | undefined;
  for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n', at + 1)) {
    const first = text.charCodeAt(at + 2);
    if (first !== 0x41 && first !== 0x48) continue;
    const turn = TURNS.find((each) => text.startsWith(each, at + 2));
    if (turn === undefined) continue;
    turns ??= [];
    turns.push({ start: at, end: at + 2 + turn.length });
  }
  return turns ?? NONE;
}

/** The offsets behind the openers of all tokens, whole or broken: where a printed shell has one space more. */
export const breakOffsets = (text: string): readonly number[] => tokensOf(text).map(({ start }) => start + 1);

/** The exact inverse of putting a space at each of `breakOffsets`. */
export function joinTokens(text: string): string {
  let out = '';
  let from = 0;
  for (const offset of breakOffsets(text)) {
    out += text.slice(from, offset);
    from = text.charCodeAt(offset) === SPACE ? offset + 1 : offset;
  }
  return out + text.slice(from);
}

/** All tokens, broken by any number of spaces or by none: as they stand, and as a tokenizer reads them that folds first. */
function tokensOf(text: string, plain = false): readonly ChatToken[] {
  let tokens: ChatToken[] | undefined;
  let folded: string | undefined;
  const isFolding = !plain && COMPATIBLE.test(text);
  for (const [opener, rests] of OPENERS) {
    for (let at = text.indexOf(opener); at !== -1; at = text.indexOf(opener, at + 1)) {
      if (MAY_FOLLOW[text.charCodeAt(at + 1)] === 0 || isLoneCharacter(text, at + 1)) continue;
      let end = matchEnd(text, at + 1, rests);
      if (isFolding && end === undefined) {
        folded ??= foldCompatible(text);
        end = matchEnd(folded, at + 1, rests);
      }
      if (!guard('shell.chat-token', end !== undefined)) continue;
      tokens ??= [];
      tokens.push({ start: at, end: end ?? at + 1 });
    }
  }
  return tokens?.sort(byStart) ?? NONE;
}

function matchEnd(text: string, from: number, rests: readonly RegExp[]): number | undefined {
  for (const rest of rests) {
    rest.lastIndex = from;
    if (rest.test(text)) return rest.lastIndex;
  }
  return undefined;
}

/** Each character that has one ASCII character for its compatibility form takes that form; lengths stay. */
const foldCompatible = (text: string): string => text.replace(COMPATIBLE_ALL, formOf);

const forms = new Map<string, string>();

function formOf(char: string): string {
  const known = forms.get(char);
  if (known !== undefined) return known;
  const form = char.normalize('NFKC');
  const shown = form.length === 1 && form < '\x7f' ? form : char;
  forms.set(char, shown);
  return shown;
}

/** Where such characters stand: long s, raised and lowered letters, circled and wide ones. */
const COMPATIBLE =
  /[\u017f\u00aa\u00b2-\u00ba\u02b0-\u02e4\u1d2c-\u1d6a\u2024\u2070-\u209c\u2100-\u217f\u2460-\u24ea\u2c7c\ufe10-\ufe6b\uff01-\uff5e]/;
const COMPATIBLE_ALL = new RegExp(COMPATIBLE, 'g');

/** `a < b and c`: one character between two spaces. All tokens are longer, and none has a space inside. */
function isLoneCharacter(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === SPACE &&
    text.charCodeAt(at + 1) > SPACE &&
    text.charCodeAt(at + 1) < 0x7f &&
    text.charCodeAt(at + 2) === SPACE
  );
}

function sticky(rests: readonly string[], flags = ''): RegExp {
  return new RegExp(` *(?:${rests.join('|')})`, `y${flags}`);
}

const byStart = (a: ChatToken, b: ChatToken): number => a.start - b.start;
const NONE: readonly ChatToken[] = [];
const SPACE = 0x20;
/** By ASCII code: 0 for what never stands behind an opener. */
const MAY_FOLLOW = Uint8Array.from({ length: 128 }, (_, code) =>
  /[ |/<~[A-Za-z_]/.test(String.fromCharCode(code)) ? 1 : 0,
);
