/** The panel for a text of several lines. The input of a row has one line and shows line breaks as signs. */
import { element } from '@herald-speech/browser';
import { rowPanel } from './row-panel.js';
import type { Row } from '../rows.js';

/** Stands for a line break in the row's input: the browser removes line breaks from a text input. */
const SIGN = '⏎';

/** Returns a text of several lines as one line. */
export const toLine = (text: string): string => text.replace(/\r\n?|\n/g, SIGN);

/** Returns the text of a line with signs. */
export const fromLine = (line: string): string => line.replaceAll(SIGN, '\n');

/** Returns the panel that Node-RED opens from the row's expand button. */
export const textEditor = (row: Row, node: EditorNode): TypedInputExpand =>
  rowPanel(row, {
    icon: 'fa-align-left',
    minWidth: 440,
    content(widget) {
      const area = element('textarea', {
        rows: 8,
        value: widget.value(),
        ariaLabel: node._('fields.text.label'),
      });
      area.addEventListener('input', () => widget.value(toLine(area.value)));
      return element('div', { className: 'herald-text' }, area);
    },
  });

/** Returns whether the row's typed text may have several lines. */
export const hasLines = ({ input }: Row): boolean => input.dataset['template'] !== undefined;
