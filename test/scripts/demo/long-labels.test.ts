import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { inLanguage } from '../../../scripts/demo/sentence.mjs';
import { nodesOf, touching, wireFaults } from '../../examples/drawn.js';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';

const example = readFileSync(path.join(__dirname, '../../../examples/first-words.json'), 'utf8');
const flow = z.array(z.looseObject({ id: z.string(), type: z.string() }));
const TAB = 'herald-first-words';
/** Pixels of a wire that stay in view between two nodes. */
const VISIBLE = 20;

/** The longest labels of a node without a name: a long text, and the name of a natural voice. */
const LABELS = {
  'en-US': { text: 'WWW: the washing machine is done', voice_id: 'en_GB-northern_english_male-medium' },
  'de-DE': { text: 'Die Waschmaschine im Keller ist fertig', voice_id: 'de_DE-thorsten_emotional-medium' },
  es: { text: 'La lavadora del sótano ha terminado', voice_id: 'es_AR-daniela-high' },
  ja: { text: '洗濯が終わりました。洗濯物を取り出して、すぐに干してください。', voice_id: '' },
  ko: { text: '세탁이 끝났습니다. 빨래를 꺼내서 바로 널어 주세요. 감사합니다.', voice_id: '' },
};

for (const [locale, { text, voice_id }] of Object.entries(LABELS)) {
  describeInBrowser(`the example flow of npm start in ${locale}`, () => {
    const { editor } = useSharedEditor(flow.parse(JSON.parse(inLanguage(example, locale))), { locale });

    it('keeps its wires in view beside the longest labels that its dialogs give', async () => {
      const { page } = editor();
      await page.evaluate(`RED.workspaces.show('${TAB}')`);
      await page.evaluate(`for (const [id, changes] of ${JSON.stringify([
        ['fw-tts', { text, textType: 'str' }],
        ['fw-say', { voice_id, voice_idType: 'str' }],
      ])}) Object.assign(RED.nodes.node(id), changes, { dirty: true, resize: true });
      RED.view.redraw(true);`);
      await page.waitForFunction(
        `RED.nodes.filterNodes({ z: '${TAB}' }).every(({ w, resize }) => w > 0 && !resize)`,
      );
      const nodes = await nodesOf(page, TAB);
      assert.deepEqual(
        touching(nodes, VISIBLE).filter((pair) => /fw-(?:tts|say)/.test(pair)),
        [],
      );
      assert.deepEqual(await wireFaults(page, nodes), []);
    });
  });
}
