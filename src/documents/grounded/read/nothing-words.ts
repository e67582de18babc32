const NOTHING =
  /^(?:none|nil|n\/a|not applicable|unknown|keine?r?s?|entfällt|unbekannt|aucune?|néant|ningun[oa]|nessun[oa]|geen|nvt|n\.v\.t\.|nenhum[a]?|brak|nie dotyczy|[-–—/]{1,3})\.?$/iu;

/** Whether a text says in one word that there is nothing. */
export function isNothing(text: string): boolean {
  return NOTHING.test(text);
}
