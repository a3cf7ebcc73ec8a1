/** Messages about the table of prompts in English (nodes/locales/runtime.json has the translations). */
export const tableMessages = {
  'table-kind': 'table {value}: expected an array of objects, or CSV as a text or a Buffer',
  'table-empty': 'table: no rows: add at least one row below the names of the columns',
  'table-bytes': 'table: {size} bytes: expected at most {limit} bytes: split the table',
  'table-rows': 'table: more than {limit} rows: split the table',
  'table-workbook':
    'table: a workbook or archive, not CSV: save it as "CSV UTF-8" in the spreadsheet program',
  'table-utf-16': 'table: the encoding is UTF-16: save the table as "CSV UTF-8"',
  'table-encoding':
    'table: the encoding is not UTF-8, probably it is Latin-1 or Windows-1252: save the table as "CSV UTF-8"',
  'table-header':
    'table: the names of the columns in line {line} have a wrong quote: write a quote inside a name twice, or remove it',
  'table-columns':
    'table: missing columns: {missing}. Add them to the first line, or as fields to each object. The names are in English: {names}. Known columns found: {found}',
  'table-many-columns': 'table: more than {limit} columns: delete columns',
  'table-column-twice':
    'table: column {first} and column {second} have the same name: rename or delete one of them',

  'row-kind': 'row {value}: expected an object with the fields text and filename',
  'row-cells':
    'the row has more cells ({count}) than the table has columns ({expected}): write a cell that contains {separator} in quotes',
  'row-quotes': 'a cell has a wrong quote: write the whole cell in quotes, and a quote inside the cell twice',
  'row-bytes': 'the row has more than {limit} bytes: shorten it',
  'row-column-twice': 'the fields {first} and {second} have the same name: delete one of them',
  'row-tag': '{field}: the column of {tag} does not exist. Use one of {columns}',
  'row-tag-empty':
    '{field}: {tag} has no value in this row: enter a value, or write {optional} if the value may be missing',

  'rule-lost-character':
    'a character is lost, because the file was not read in its encoding: save the table as "CSV UTF-8", and read it as UTF-8',
  'rule-template': 'the template is invalid: {problem}',
  'rule-format-name': 'unknown format: enter a format such as asterisk-wav, or leave the cell empty',
  'rule-file-twice': 'row {row} has the same file: choose another name',
  'rule-file-folder': 'row {row} uses the name of a file as a folder: choose another name',
  'rule-name': 'enter a file name such as menu/main',
  'rule-name-inside': 'expected a path inside the folder: remove the drive, "/" or "~/" at the start',
  'rule-name-dot': 'a file or folder name must not start with a dot, and must not be "..": remove the dots',
  'rule-name-end':
    'a folder name must not end with a dot or a blank, a file name not with "/": remove the end',
  'rule-name-characters': 'the character {character} is not allowed: remove it',
  'rule-name-device': '{name} is the name of a device on Windows: choose another name',
  'rule-name-long': 'expected at most {limit} bytes in UTF-8: shorten the name',
  'rule-name-extension':
    'the format needs the extension .{extension}: change the extension or the format, or remove the extension',
} as const;
