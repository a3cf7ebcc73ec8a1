import assert from 'node:assert/strict';
import type { NodeAPI } from 'node-red';
import { abilitiesOf, chainOf, readingsOf } from '../../../nodes/account/chain.js';

const openai = { service: 'openai', fallback: 'account:piper' };
const piper = { service: 'wyoming', fallback: 'account:first' };

/** Node-RED with these accounts. */
const editorWith = (accounts: Record<string, object>) => {
  const eachNode = (visit: (node: object) => void) => {
    for (const [id, account] of Object.entries(accounts)) visit({ id, type: 'herald-account', ...account });
  };
  return { nodes: { eachNode } } as unknown as NodeAPI;
};

describe('an account with its fallbacks', () => {
  it('is a chain that ends at an account that it already has', () => {
    const chain = chainOf(editorWith({ first: openai, piper }), 'first', openai);
    assert.deepEqual(
      chain.map(({ service }) => service),
      ['openai', 'wyoming'],
    );
  });

  it('divides a text at the smallest limit of all its services', () => {
    const longest = (...chain: object[]) => abilitiesOf(chain).maxTextLength;
    assert.equal(longest({ service: 'openai' }), 4096);
    assert.equal(longest({ service: 'openai', maxTextLength: '900' }), 900);
    assert.equal(longest({ service: 'openai' }, { service: 'local' }), 300);
    assert.equal(longest({ service: 'local' }, { service: 'openai', maxTextLength: '120' }), 120);
  });

  it('has only the formats of all its services', () => {
    assert.deepEqual([...abilitiesOf([{ service: 'openai' }, { service: 'local' }]).formats].sort(), [
      'mp3',
      'wav',
    ]);
    assert.deepEqual(abilitiesOf([{ service: 'hosted' }, { service: 'wyoming' }]).formats, ['wav']);
  });

  it('has each reading of its services once', () => {
    const words = { service: 'openai', figuresAsWords: true };
    assert.equal(readingsOf([words, { ...words, service: 'wyoming' }, { service: 'local' }]).length, 2);
    assert.equal(readingsOf([{ service: 'openai' }, { service: 'wyoming' }]).length, 0);
  });
});
