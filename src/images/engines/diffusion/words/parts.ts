import { isAdjective } from './clause.ts';
import type { Lexicon } from './lexicon.ts';
import type { FoundPhrase } from './phrase-finder.ts';

const BODY_PARTS: ReadonlySet<string> = new Set(
  'long hair,braid,ponytail,afro,eyelashes,fingernail,eyeball,eyes,eye,ear,nose,tooth,tongue,mouth,foot,leg,torso,tail,wing,talon,flexed biceps'.split(
    ',',
  ),
);
const PARTS_OF_THINGS: ReadonlySet<string> = new Set(
  'roof,chimney,door,window,wheel,windshield,steering wheel,ship mast,shirt button,shirt sleeve,jeans pocket,zipper,door handle,keyhole,shoe sole,leaf fluttering in wind,fallen leaf,maple leaf,branch,root'.split(
    ',',
  ),
);

/** Drops what is drawn alone but said as a part of its owner: "a house with a red roof", "a girl with a ponytail". */
export function withoutParts(phrases: readonly FoundPhrase[], lexicon: Lexicon): readonly FoundPhrase[] {
  const at = phrases.findIndex((joint, position) => {
    const part = phrases[partAfter(phrases, position, lexicon)];
    return isPartOf(part, { owner: phrases[position - 1], joint, lexicon });
  });
  const joint = phrases[at];
  if (joint === undefined) return phrases;
  const partAt = partAfter(phrases, at, lexicon);
  const after = phrases.slice(partAt + 1);
  const isListed = lexicon.nameOf(after[0]?.token ?? 0) === 'and';
  // "With a red roof and a chimney": the next one may be a part too.
  const rest = isListed ? [joint, ...after.slice(1)] : after;
  return withoutParts([...phrases.slice(0, at), ...rest], lexicon);
}

function isPartOf(
  part: FoundPhrase | undefined,
  {
    owner,
    joint,
    lexicon,
  }: {
    readonly owner: FoundPhrase | undefined;
    readonly joint: FoundPhrase;
    readonly lexicon: Lexicon;
  },
): boolean {
  if (part === undefined || owner === undefined) return false;
  const relation = lexicon.nameOf(joint.token);
  const name = lexicon.nameOf(part.token);
  if (BODY_PARTS.has(name)) return ['with', 'wearing', 'holding'].includes(relation);
  // A man with a wheel holds one.
  const isSomebody = lexicon.isPerson(owner.token) || lexicon.groupOf(owner.token) === 'People & Body';
  return relation === 'with' && PARTS_OF_THINGS.has(name) && !isSomebody;
}

/** The place of the thing that follows, of "a carrot nose" the nose. */
function partAfter(phrases: readonly FoundPhrase[], at: number, lexicon: Lexicon): number {
  return phrases.findIndex((phrase, position) => {
    const next = phrases[position + 1];
    const isFirstHalf = next?.at === phrase.at + phrase.length && lexicon.kindOf(next.token) === 'object';
    return position > at && !isAdjective(phrase, lexicon) && !isFirstHalf;
  });
}
