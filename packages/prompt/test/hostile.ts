import fc from 'fast-check';

/** Every character that some common reader takes for the end of a line. */
export const LINE_ENDS = [
  '\n',
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\x1c',
  '\x1d',
  '\x1e',
  '\u0085',
  '\u2028',
  '\u2029',
] as const;

/** Characters that nobody sees, one of each family. */
export const INVISIBLE = [
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u202e',
  '\u2066',
  '\u{e0041}',
  '\ufe01',
  '\u00ad',
  '\x00',
  '\x1b',
  '\x7f',
  '\u0090',
  '\ue000',
  '\u{f0000}',
  '\u3164',
];

/** Chat-template tokens as the vendors write them: a list of its own, not that of the code. */
export const CHAT_TOKENS = [
  ...['<|im_start|>', '<|im_end|>', '<|im_sep|>', '<|endoftext|>', '<|system|>', '<|user|>', '<|assistant|>'],
  ...['[INST]', '[/INST]', '<<SYS>>', '<</SYS>>', '<s>', '</s>', '<|begin_of_text|>', '<|start_header_id|>'],
  ...['<|turn>', '<turn|>', '<|tool_call>', '<tool_call|>', '<|channel>', '<channel|>', '<|"|>', '<escape>'],
  ...[
    '<arg_key>',
    '</arg_value>',
    '<function_call>',
    '<TOOLCALL>',
    '<start_function_call>',
    '<eoh>',
    '<sep>',
  ],
  ...['[EOT]', '[PAD]', '[UNK]', '[UNUSED_TOKEN_146]', '<TOKENS_UNUSED_1>'],
  ...['<|eot_id|>', '<|python_tag|>', '<|eom_id|>', '<|header_start|>', '<start_of_turn>', '<end_of_turn>'],
  ...[
    '[TOOL_CALLS]',
    '[AVAILABLE_TOOLS]',
    '[/AVAILABLE_TOOLS]',
    '[TOOL_RESULTS]',
    '[SYSTEM_PROMPT]',
    '[ARGS]',
  ],
  ...[
    '<\uff5cUser\uff5c>',
    '<\uff5cbegin\u2581of\u2581sentence\uff5c>',
    '<\uff5ctool\u2581calls\u2581begin\uff5c>',
  ],
  ...[
    '<|START_OF_TURN_TOKEN|>',
    '<|SYSTEM_TOKEN|>',
    '<BOS_TOKEN>',
    '<|start|>',
    '<|channel|>',
    '<|message|>',
  ],
  ...[
    '<|end|>',
    '<|call|>',
    '<|return|>',
    '<tool_call>',
    '</tool_call>',
    '<tool_response>',
    '[gMASK]',
    '<sop>',
  ],
  ...['<|start_of_role|>', '<|end_of_role|>', '<fim_prefix>', '<|fim_middle|>', '<bos>', '<eos>', '<think>'],
  ...['<image>', '<|image_pad|>', '<start_of_image>', '[IMG]', '[|system|]', ']~b]', '[e~[', '<|IM_START|>'],
  ...['\uff1c|im_start|\uff1e', '<\uff5cim_start|>', '<extra_id_1>', '<unused42>', '<PRE>', '<EOT>'],
] as const;

/** Words that machines read, spelled plainly and not. */
export const STRUCTURE_WORDS = [
  'RUN_DIRECTIVE',
  'USER_INPUT',
  'USER_INPUT_END',
  'NODE_BRIEF',
  '- forNodeId: x',
  '- key:',
  '  - item',
  '- ',
  '-',
  '\\',
  '\\\\',
  '"',
  '(none)',
  '{"tool_call":{"name":"x"}}',
  '{"tool\\u005fcall":{}}',
  '[{"a":1},\n{"tool_call":2}]',
  '{\n"tool_call":1}',
  '{"\uff54ool_call":1}',
  'System:',
  'assistant:',
  '\n\nHuman: hi',
  '### Response:',
  '\uff32\uff35\uff2e\uff3f\uff24\uff29\uff32\uff25\uff23\uff34\uff29\uff36\uff25',
  '\uff35\uff33\uff25\uff32\uff3f\uff29\uff2e\uff30\uff35\uff34',
  '\u{1d411}\u{1d414}\u{1d40d}_\u{1d403}\u{1d408}\u{1d411}\u{1d404}\u{1d402}\u{1d413}\u{1d408}\u{1d415}\u{1d404}',
  'R\u200bUN_DIRECTIVE',
  '\uff0d key\uff1a value',
  '\u2010 key: v',
  ' ',
  '\t',
  '\u3000',
  'a',
  'Hello, world.',
  '\u4e00\u4e8c',
  '\u{1f600}',
  ':',
  '_',
  '#',
  '```',
  '&',
  '%0A',
  '{',
  '}',
  'system',
  '< |im_start|>',
  '<  s>',
];

/** Text made of all that could be mistaken for something, and of ordinary text. */
export const hostileText = (...more: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .array(
          fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom(...STRUCTURE_WORDS, ...more) },
            { weight: 2, arbitrary: fc.constantFrom(...LINE_ENDS) },
            { weight: 1, arbitrary: fc.constantFrom(...CHAT_TOKENS) },
            { weight: 1, arbitrary: fc.constantFrom(...INVISIBLE) },
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 24 }).map((text) => text.toWellFormed()) },
  );
