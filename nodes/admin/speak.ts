import { checkRequest, lazy, operations, z } from '@herald-speech/client';
import { endpoint } from './endpoint.js';
import { localize } from '../runtime/localize.js';
import { markupField } from '../lib/utterance.js';
import { target } from './target.js';

/** The request of the dialog. The account's defaults apply to a blank voice and language. */
const trial = lazy(() => {
  const { shape } = operations.createSpeech.request;
  return z.object({
    text: shape.text,
    voice_id: shape.voice_id.optional(),
    language: shape.language.optional(),
    style: shape.style,
    model: shape.model,
    output_format: shape.output_format,
    voice_settings: shape.voice_settings,
    markup: markupField(),
  });
});

/** Speaks a sample text of at most 300 characters. Costs credits if the account has credits. */
export const speak = endpoint({
  path: '/herald/speak',
  permission: 'herald.write',
  request: () => target().extend({ request: z.record(z.string(), z.unknown()) }),
  async run({ client, defaults, request, signal, translator }) {
    const { markup, ...tried } = checkRequest(trial(), request.request);
    const whole = await client.complete(tried, defaults, { signal });
    const { audio, mime, duration, chargedSeconds, warningTexts } = await client.speak(
      { ...whole },
      {
        signal,
        markup,
        checked: true,
      },
    );
    const warnings = warningTexts.map((text) => localize(translator, text));
    return { audio: Buffer.from(audio).toString('base64'), mime, duration, chargedSeconds, warnings };
  },
});
