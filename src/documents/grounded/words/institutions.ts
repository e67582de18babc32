import { plainLetters } from '../../values/plain-letters.ts';

/** Words that say what an institution is and are a part of its name. */
const INSTITUTION =
  /^(?:laborator(?:y|ies|io|ium|ia)$|laboratoires?$|labor$|lab$|mvz|universi|uniwersy|hochschule|college|school|schule|escuela|ecole|escola|scuola|szkola|akadem|academ|instit|istit|klinik|clinic|clinique|hospital|hopital|ospedal|ziekenhuis|szpital|krankenhaus|praxis|biblio|librar|museu|musee|muzeum|museo|verein|club|verband|associa|asocia|vereniging|stowarzysz|stiftung|fond|fund|bank|banca|banco|banque|hotel|restaurant|theat|teatr|kino|cinema|ministe|finanzamt|comite|committee|ausschuss|comitato|junta|consejo|conseil|rada|societ|insurance|assurance|versicherung|patholog|diagnost|radiolog|surgery$|practice$|centre$|center$|centrum|zentrum|zentrale|council|authorit|ministr|polic|gericht|court$|landratsamt|rathaus|kirche|church|chamber|kammer|union$|federa|foundation|fundac|agen[ct]|services?$|department|abteilung|genossenschaft|cooperativ|mutual|kooperativ)/;

/** The same as ends of compounds. */
const COMPOUND =
  /(?:schule|kammer|gymnasium|amt|klinik|praxis|verein|verband|bank|bibliothek|zentrum|institut|versicherung|kasse|werke)$/;

/** Whether a word says what an institution is. */
export function isInstitutionWord(word: string): boolean {
  if (!/^\p{Lu}/u.test(word)) return false;
  const plain = plainLetters(word).toLowerCase();
  return INSTITUTION.test(plain) || COMPOUND.test(plain);
}

const LEGAL_FORM =
  /(?:^|\s)(?:Ltd|Limited|plc|PLC|Inc|LLC|LLP|Co|Corp|GmbH|AG|KG|OHG|mbH|SE|S\.?A\.?(?:S|U)?|S\.?L\.?(?:U)?|S\.?r\.?l\.?|S\.?p\.?A\.?|SARL|Lda|B\.?V\.?|N\.?V\.?|e\.\s?V|Sp\. z o\.\s?o)\.?(?:$|[\s,&])/;
const EMPLOYER =
  /^(?:studio|comune|ayuntamiento|gemeinde|stadt|mairie|ville|councils?|county|stift|werke?|werk|stadtwerke|kanzlei|agentur|agency|agencia|agence|agenzia|agencja|bakery|boulangerie|backerei|panaderia|cafe|trattoria|ristorante|group|gruppe|grupo|groupe|gruppo|brothers|partners?|consulting|engineering|media|verlag|books|farm|trust|nhs|urzad|firma|zaklad|fabryka|przedsiebiorstwo|apotheke|pharmacy|pharmacie|farmacia|apteka|werkstatt|haus)$/;

/** Whether a text names an organisation: by its legal form, or by a word that says what it is. */
export function isOrganisation(text: string): boolean {
  if (LEGAL_FORM.test(text)) return true;
  return text.split(/[\s-]+/).some((word) => {
    const isEmployer = /^\p{Lu}/u.test(word) && EMPLOYER.test(plainLetters(word).toLowerCase());
    return isEmployer || isInstitutionWord(word);
  });
}
