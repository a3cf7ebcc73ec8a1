/** Texts and numbers of the sidebar in the language of the editor. */

/** Returns a localized text of the sidebar. */
export const words = (key: string, values: object = {}): string =>
  RED._(`@herald-speech/node-red/herald-sidebar:${key}`, values);

/** The texts of the sidebar for functions that take a node. */
export const texts: Pick<EditorNode, '_'> = { _: words };

/** Formats a time of the day. @param time milliseconds since 1970 */
export const clock = (time: number): string => new Date(time).toLocaleTimeString(RED.i18n.lang());

/** Returns the name of an account as the runtime reports it. The local service without an account is `local`. */
export const accountText = (name: string): string => (name === 'local' ? words('local-service') : name);
