import { ABOUT, HELD_IN, type Idiom, idiom, WHOSE, WORN_ON } from './idiom.ts';

const ARTICLE = '(?:a|an|some|one|two|three|another|the|his|her|its|their)';
const MOVES = 'fly|swim|walk|run|jump|float|stand|sit|dance|come|go';
// Moods by what is done.
const MOODS: Readonly<Record<string, string>> = {
  happy: 'laugh|smile|grin|cheer|look happy',
  sad: 'cry|weep|sob|frown|worry',
  angry: 'shout|scream|yell|growl|roar',
  sleepy: 'sleep|nap|yawn|doze|snore|fall asleep|go to sleep',
};

/** Wordings of edits. */
export const EDIT_IDIOMS: readonly Idiom[] = [
  [/\binstead$/gi, ''],
  [/\b(?:have|let|make) (.+?) (?:hold|wear) (.+?) instead of (.+)/gi, 'replace $3 with $2'],
  [/\b(?:add|use|put|show|paint) (.+?) instead of (.+)/gi, 'replace $2 with $1'],
  [/ to (?:hold|carry|eat|wear|drink|ride|read|use|play|play with|sit on)\b/gi, ''],
  [/\btake ((?:the|his|her|its|their) (?:\w+ )??\w+) (?:off|away|out)\b/gi, 'remove $1'],
  [/\b(?:get rid of|take off|take away|take out)\b/gi, 'remove'],
  [
    /\b(?:cover|decorate|fill) (.+?) (?:with|in) (?=(?:\w+ )?(?:stripes|spots|dots|polka dots|checks)\b)/gi,
    'change $1 ',
  ],
  [/\bgive (.+?) ((?:\w+ )?(?:stripes|spots|dots|polka dots|checks))\b/gi, 'change $1 $2'],
  [/\b(?:much|even|a lot|a bit|a little|slightly) (?=(?:bigger|smaller|larger)\b)/gi, ''],
  ...Object.entries(MOODS).map(
    ([mood, deeds]): Idiom => [
      idiom(`\\b(?:let|make|have) ((?:(?:the|this|that|his|her) )?(?:\\w+ )?\\w+) (?:${deeds})\\b`),
      `make $1 ${mood}`,
    ],
  ),
  [idiom(`\\b(?:from|off) ${WHOSE} (?:${WORN_ON}|${HELD_IN})\\b`), ''],
  [/\bon top\b(?! of)/gi, 'on it'],
  [/\b(change|turn|paint|make) the colou?r of (.+?) (?=to|into)/gi, '$1 $2 '],
  [/\b(make|paint|turn|change) the sky\b/gi, '$1 the background'],
  [/\blet it (?=rain|snow)/gi, 'make it '],
  [
    /\b(put|place|move|bring) (?:both|all) (?:of )?(?:the )?(?:animals|things|objects|people|pictures)\b/gi,
    '$1 them',
  ],
  [/\bup$/gi, 'to the top'],
  [/\bdown$/gi, 'to the bottom'],
  [idiom(`\\b${ABOUT} ${WHOSE} (?:${WORN_ON}) of\\b`), 'on'],
  [/\b(?:at|by|near|before) (?:his|her|its|their) (?:feet|side)\b/gi, 'next to it'],
  [idiom(`\\b${ABOUT} ${WHOSE} (?:${WORN_ON}|${HELD_IN})\\b`), 'on it'],
  [idiom(`\\b${ABOUT} ((?:the |a |an )?(?:\\w+ ){0,2}?\\w+) own (?:${WORN_ON}|${HELD_IN})\\b`), 'on $1'],
  [/\bown\b/gi, ''],
  [idiom(`\\bgive (?!me\\b)((?:\\S+ ){1,4}?)(?=${ARTICLE} )`), '$1holding '],
  [/\bgive (him|her|them|it)\b/gi, '$1 holding'],
  // Things of two parts have no article: "give the bear sunglasses".
  [/\bgive ((?:the |this |that |my )?\w+(?: \w+)?) (\w+s)$/gi, '$1 holding $2'],
  [/\bfill (.+?) with (.+)/gi, 'add $2 in $1'],
  [idiom(`\\b(let|make|have) ((?:the )?\\w+) (?:${MOVES})\\b`), '$1 $2'],
  [/\bhim\b/gi, 'it'],
  [
    /\bher(?=$|\s*[,.;!]| (?:and|on|in|into|onto|at|to|with|a|an|the|holding|wearing|look|happy|sad|angry|sleepy|surprised)\b)/gi,
    'it',
  ],
];
