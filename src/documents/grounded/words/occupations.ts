import { plainLetters } from '../../values/plain-letters.ts';

/** Beginnings of words for occupations. */
const BEGINNINGS =
  'accountant administrat amministrat advis advoc analist analyst apprent assist aushilf auszubildend azubi betreuer buchhalt carer caseworker comptable conduct conseill consultant consultor contabil ' +
  'controller coordinat coordinad copywriter counsell cuisini deputy desarrollador designer detective developer dirett director directeur directrice direktor diretor dozent dyrektor editor ' +
  'electricien electrician electricista eletricista elettricista elektriker elektroniker empleado empregad encargad enferm engineer entwickler enseignant erzieher foreman formateur gardener geschaftsfuhrer gerente gestionnaire ' +
  'graphist handler impiegat infermier infirmi ingegner ingenier inspect instruct intern inzynier joiner journalist kassierer kellner kierownik laborant lawyer lecturer lehrling leiter librarian ' +
  'logopad magasinier magazynier manager mechaniker mecanicien mecanico meccanico medewerker midwife mitarbeiter monteur nauczyciel nurse operador operari operative operator ouvri paramedic pfleger pharmacist pharmacien ' +
  'physiotherapeut physiotherapist plumber porter praktikant pracownik producer productor professeur professor profesor programador programmat programmer programmierer projectleider psycholog receptionist recepcion redakteur redacteur ' +
  'referent responsab sachbearbeit scientist secretai secretar sekretar serveu specialist specialista specjalist sprzedawc stagiair stagiaire stagist stazyst superintend supervisor surveyor teacher teamleader technician technicien ' +
  'techniker tecnico tecnica therapeut therapist tirocin trainee trainer tutor ubersetzer underwriter urzednik vendedor vendeu verkauf verkoper verpleeg volontair volontar volunteer vorarbeiter waiter waitress welder werkstudent worker writer';
/** Words and ends of compounds; more letters behind them make another word, as in "Bäckerei". */
const ENDINGS =
  '(?:anwalt|arbeiter|architect[ea]?|architekt|arzt|aerztin|assistent|backer|baker|berater|clerk|chef|chauffeur|cook|docent|driver|fahrer|helfer|ingenieure?|kaufmann|kauffrau|koch|lehrer|leiter|maler|mechanic|meister|' +
  'officer|pfleger|pilot|planer|tischler|trainer|zeichner|zimmerer)(?:in)?';
const OCCUPATION = new RegExp(`^(?:${BEGINNINGS.split(' ').join('|')})|${ENDINGS}$`);

/** Whether a text names an occupation, in one of eight languages. */
export function isOccupation(text: string): boolean {
  return plainLetters(text)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => OCCUPATION.test(word));
}
