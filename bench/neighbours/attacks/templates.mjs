import { jsonRequest } from '../ask.mjs';

// Renders for minutes if a server accepts it.
const chat_template = '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}';

/** A prompt template from the client, which would run in the model server. */
export const templatesAttacks = [
  {
    name: 'templates',
    what: 'chats and counts that bring their own chat template',
    engines: ['upstream'],
    run: (noise) => noise.keepAsking(8, (number) => requestOf(noise, number), { pauseMs: 50 }),
  },
];

function requestOf(noise, number) {
  const body = noise.chat(`Hello ${number}`, { chat_template, chat_template_kwargs: { chat_template } });
  const path = number % 2 === 0 ? '/v1/chat/completions' : '/v1/messages/count_tokens';
  return jsonRequest(path, body, noise.keys.noisy);
}
