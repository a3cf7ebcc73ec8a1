/** Internal details that must not appear in a reply. */
export const INTERNAL = /node:|node_modules|\.ts:\d|\.js:\d|\bat \S+ \(|ENOENT|SQLITE|Error:/;
