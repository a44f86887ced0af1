// @ts-check
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { explain, stablePrefix, toMessages } from '@cuebook/prompt';
import { generateText } from 'ai';
import { supportPrompt } from './prompt.mjs';

const baseURL = process.env.MODEL_URL;
if (baseURL === undefined) {
  console.error(
    'Set MODEL_URL to the address of an OpenAI-compatible model server, such as http://127.0.0.1:11434/v1',
  );
  process.exit(3);
}

const provider = createOpenAICompatible({
  name: 'local',
  baseURL,
  apiKey: process.env.MODEL_KEY ?? 'none',
});
const [question = 'Why did it fail?', log = ''] = process.argv.slice(2);
const prompt = supportPrompt(question, log);

// The library wants system words apart from the conversation, so that nobody's message can pass for them.
const messages = toMessages(prompt);
const { text } = await generateText({
  model: provider.chatModel(process.env.MODEL_NAME ?? 'default'),
  system: messages.filter(isSystem).map(({ content }) => ({ role: 'system', content })),
  messages: messages.filter((each) => !isSystem(each)).map(({ content }) => ({ role: 'user', content })),
});

/** @param {{ role: string }} message */
function isSystem({ role }) {
  return role === 'system';
}

console.log(text);
console.error(
  `\nsent ${prompt.hash}, ${prompt.redactions.length} redactions, ${stablePrefix(prompt).stablePrefixBytes} bytes stable`,
);
for (const { block, kind, start } of prompt.redactions)
  console.error(`  ${kind} removed in ${block} at byte ${start}`);
console.error(`  the first words come from ${explain(prompt, 0)?.origin.ref}`);
