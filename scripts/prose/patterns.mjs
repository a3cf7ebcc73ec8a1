/**
 * Symptoms of a sentence that needs a second reading. A space in a pattern matches any white space, so that a hit may
 * cross a line break.
 */
export const patterns = [
  {
    pattern:
      /\bwhat(?:ever)? (?:is|are|was|were|has|had|can|may|must|comes?|came|goes|went|stands?|lies|it|they|there|a|an|the|this|nothing)\b/,
    reason: 'a clause stands for a noun',
    advice: 'Use the noun: "the value", "the reply", "the saved properties".',
  },
  {
    pattern: /\bwhoever\b|\bwhose (?:is|it|they)\b|\bwho (?:is|are|has|may|wants|holds|it|they)\b/,
    reason: 'a clause stands for a person or program',
    advice: 'Name the actor: the user, the caller, the client.',
  },
  {
    pattern: /\b(?:nobody|somebody|anybody|everybody)\b/,
    reason: 'the actor has no name',
    advice: 'Name the actor: the user, the caller, the client.',
  },
  {
    pattern: /\b(?:tells?|told|telling)\b/,
    reason: 'programs do not talk',
    advice: 'Use report, return, log, emit or document.',
  },
  {
    pattern: /\bsa(?:ys?|id) (?:so|what|which|how|whether|who|where)\b/,
    reason: 'programs do not talk',
    advice: 'Use state, return, report or define.',
  },
  {
    pattern: /\b(?:is|are|was|were) (?:none|no (?!longer|more|such|different|need)\w+)\b/,
    reason: 'negated noun',
    advice: 'Negate the verb: "is not a valid number".',
  },
  {
    pattern: /\bwhen (?:there|that|one|none|nothing) (?:is|are|was|has)\b/,
    reason: 'condition without a subject',
    advice: 'Use "if", "when" or "unless" with a noun.',
  },
  {
    pattern: /\bwhere (?:there|it|that|one|none|nothing|this|they) (?:is|are|was|has|says)\b/,
    reason: 'condition without a subject',
    advice: 'Use "if", "when" or "unless" with a noun.',
  },
  {
    pattern: /\bof (?:(?:its|their|one's|his|our|your) own|(?:an? )?[\w-]+'s own)\b/,
    reason: 'ownership behind the noun',
    advice: 'Put "own", "separate" or "custom" before the noun.',
  },
  {
    pattern: /\b(?:one|those|that|such) (?:that|who|which) (?:is|are|has|have|was|were)\b/,
    reason: 'pronoun in place of a noun',
    advice: 'Repeat the noun.',
  },
  {
    pattern: /\b(?:that|those) of\b/,
    reason: 'pronoun in place of a noun',
    advice: 'Repeat the noun.',
  },
  {
    pattern: /\bas (?:it|they) (?:is|are|was|were|comes?|came|stands?)\b/,
    reason: 'vague comparison',
    advice: 'Use "unchanged" or "verbatim".',
  },
  {
    pattern: /\b(?:made|makes) of (?:it|what|them)\b/,
    reason: 'vague verb',
    advice: 'Name the operation: converted, parsed, derived.',
  },
  {
    pattern: /\b(?:is|are|was|were) (?:meant )?to be\b/,
    reason: 'hidden obligation',
    advice: 'Use "must", "may" or "can".',
  },
  {
    pattern: /\b(?:own voices?|make way)\b/,
    reason: 'second name for one thing',
    advice: 'Use the word from the table in docs/style.md.',
  },
].map((row) => ({ ...row, pattern: new RegExp(row.pattern.source.replaceAll(' ', '\\s+'), 'gi') }));
