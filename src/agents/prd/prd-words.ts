/**
 * Words that hint at problems of a user story. They are English and few: a rule that misses a story costs less than a rule
 * that criticises a good one.
 */

/** Titles of work that takes more than one turn. */
export const bigWork: readonly RegExp[] = [
  /\b(?:entire|whole|complete|full)\s+(?:[\w-]+\s+){0,2}(?:app|application|system|dashboard|site|website|api|backend|front-?end|codebase|product|feature|ui|platform)\b/i,
  /^(?:add|implement|build|create|set up)\s+(?:an?\s+|the\s+)?(?:user\s+|admin\s+)?(?:auth|authentication|authorization|payments?|billing|dashboard|api|backend|front-?end|admin panel)(?:\s+(?:system|module|feature))?\.?$/i,
  /^(?:refactor|rewrite|redesign|overhaul|migrate)\s+(?:the\s+|our\s+)?(?:[\w-]+\s+)?(?:api|app|application|backend|front-?end|codebase|code|database|system|ui)\.?$/i,
]

/** Criteria that two people may judge differently. */
export const vague: readonly RegExp[] = [
  /\bworks?\s+(?:correctly|properly|well|fine|perfectly|as (?:expected|intended))\b/i,
  /\b(?:easy|easily|intuitive|intuitively|user[- ]friendly|seamless|seamlessly|nicely|robust|robustly)\b/i,
  /\b(?:good|great|nice|clean)\s+(?:ux|ui|user experience|performance|design|code)\b|\blooks? (?:good|great|nice)\b/i,
  /\bhandles?\s+(?:all\s+)?(?:the\s+)?(?:edge cases|errors)(?:\s+(?:gracefully|properly|well|correctly))?\.?$/i,
  /\b(?:appropriate|appropriately|as needed)\b/i,
  // "Loads fast" says nothing; "loads fast: under 200 ms" does.
  /^\D*\b(?:is|are|feels?|loads?|runs?|responds?)\s+(?:fast|quick|quickly|snappy|responsive)\b\D*$/i,
]

export const saysTypecheck = /\btype-?\s?check(?:s|ing)?\b.{0,80}\bpass(?:es)?\b/i
export const saysBrowser = /\bbrowser\b/i

/** Words for what a user sees and touches. */
export const onScreen =
  /\b(?:ui|button|drop-?down|modal|dialog|checkbox|badge|sidebar|navbar|tooltip|toast|css|hover\w*|click\w*)\b|\b(?:web|settings?|landing|home|login|profile|details?|existing|new)\s+page\b/i

/** The layers of an application, each built on those before it, with words in a title that name them. */
export const layers: readonly (readonly [name: string, words: RegExp])[] = [
  [
    'the database',
    /\b(?:schema|migrations?|database|db|sql|foreign keys?)\b|\b(?:column|field|index)\b.{0,80}\bto\b.{0,80}\btable\b/i,
  ],
  ['the server', /\b(?:api|endpoints?|backend|server actions?|route handlers?|webhooks?|queries)\b/i],
  ['a screen', /\b(?:ui|display|show|page|view|cards?|button|drop-?down|modal|dialog|badge|sidebar|screen)\b/i],
  ['a dashboard', /\b(?:dashboard|overview)\b/i],
]

/** Words before the id or ids of stories that a story needs. */
export const dependencyWords =
  /\b(?:depends? (?:up)?on|depending on|requires?|needs?|blocked by|builds? (?:up)?on|relies on|after|once|uses?\b[^.;,]{0,60}?\b(?:from|of|by))\s+(?:the\s+)?(?:(?:user\s+)?stor(?:y|ies)\s+)?((?:[A-Z]+-\d+\w*)(?:\s*(?:,|and|&|or)+\s*[A-Z]+-\d+\w*)*)/gi
