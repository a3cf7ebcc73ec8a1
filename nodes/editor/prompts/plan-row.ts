/** A row of the table preview: a play button, the prompt with the reasons of its state, the state and the seconds. */
import { element } from '@herald-speech/browser';
import { button, icon } from '../lib/dom.js';
import { stateName } from './describe.js';
import type { PlanRow } from './plan.js';

/** Plays a row. The button shows the state of the sound. */
export type PlayRow = (row: PlanRow, pressed: HTMLButtonElement) => void;

export function planRow(row: PlanRow, node: EditorNode, play: PlayRow): HTMLTableRowElement {
  const { state, seconds } = row;
  const badge = element('span', { className: 'herald-badge' }, stateName(state, node));
  badge.dataset['state'] = state;
  const known = seconds === undefined ? '' : seconds.toLocaleString(RED.i18n.lang(), SECONDS);
  return element(
    'tr',
    {},
    element('td', {}, ...playButton(row, node, play)),
    promptCell(row, node),
    element('td', {}, badge),
    element('td', { className: 'herald-number' }, known),
  );
}

const SECONDS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

function playButton(row: PlanRow, node: EditorNode, play: PlayRow): HTMLElement[] {
  const { filename: file, request } = row;
  const isSpoken = !hasFile(row);
  if (isSpoken && request === undefined) return [];
  const title = isSpoken ? node._('prompts.speak', { file }) : node._('prompts.play', { file });
  const pressed = button({ className: 'herald-play', title }, icon('play'));
  pressed.addEventListener('click', () => play(row, pressed));
  return [pressed];
}

/** Whether the folder has the audio of this row. The file of a changed row has the audio of an earlier text or voice. */
export const hasFile = ({ state }: PlanRow): boolean => state === 'unchanged' || state === 'gone';

function promptCell({ number, text, filename, state, problems }: PlanRow, node: EditorNode): HTMLElement {
  const name = element('code', {}, filename || node._('prompts.no-name'));
  const line = number === undefined ? '' : ` ${node._('prompts.row', { number })}`;
  const reasons = problems.map((problem) => element('li', {}, problem));
  const className = `herald-prompt-reasons ${state === 'wrong' ? 'herald-problem' : ''}`;
  return element(
    'td',
    {},
    element('span', { className: 'herald-prompt-text', dir: 'auto', title: text }, text),
    element('small', {}, name, line),
    ...(reasons.length > 0 ? [element('ul', { className }, ...reasons)] : []),
  );
}
