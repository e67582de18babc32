/** Words in the four languages of hints, without accents. */
function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Words between a mention of a file and what is in it. */
const PLACING = [
  'the a an this that these those in on at of from to for is are was be by with only also both as',
  'der die das den dem des ein eine einem einer im in aus von vom zu zum zur fur ist sind nur auch',
  'le la les l un une de du des d dans sur depuis pour est sont aussi c ce',
  'el los las lo una en del desde para esta estan es son solo tambien',
].join(' ');

const TELLING = [
  'take taken takes use used uses using read get extract extracted find found finds look see it its them they here there stand stands',
  'has have had contains contain holds includes come comes prefer preferably matters counts please must should can need needs want i you we me just always named called',
  'nimm nehme nehmen verwende verwenden nutze nutzen benutze benutzen lies lesen siehe suche extrahiere extrahieren hole bitte sie steht',
  'stehen findest finden findet hat haben enthalt enthalten ich du wir man soll sollen namens',
  'prends prendre prenez utilise utiliser utilisez lis lire lisez voir cherche cherchez extrait extrais extraire extrayez s il te vous plait',
  'seulement uniquement trouve trouvent se cela faut contient nomme',
  'toma tomar tome usa usar utiliza utilizar lee leer busca buscar extrae extraer ver por favor solamente unicamente encuentra encuentran hay',
  'contiene tiene llamado',
].join(' ');

const EVERYTHING = [
  'all everything every each rest else other others remaining any',
  'alles alle allen rest restlichen ubrige ubrigen anderen andere sonstigen',
  'tout tous toutes reste restant autres autre',
  'todo todos toda todas resto demas otros otras',
].join(' ');

/** Words that only connect a file with its content. */
export const PLACING_WORDS = words(PLACING);

/** Words that do not name a part of the data. */
export const FUNCTION_WORDS = words(`${PLACING} ${TELLING} ${EVERYTHING}`);

/** Words for data and files in general: they may name a part, and otherwise carry no meaning. */
export const GENERAL_NOUNS = words(
  [
    'value values data field fields information info detail details entry entries content contents page pages',
    'file files document documents doc docs pdf pdfs image images picture pictures scan attachment',
    'werte wert daten feld felder angabe angaben information informationen inhalt seite seiten datei dateien dokument dokumente bild anhang',
    'valeur valeurs donnees champ champs informations contenu fichier fichiers',
    'valor valores datos campo campos informacion contenido pagina paginas archivo archivos fichero ficheros documento documentos imagen',
  ].join(' '),
);

/** Pronouns for the fields of the previous sentence. */
export const PRONOUNS = words('it them they sie cela lo');

/** Conditions and exceptions; a sentence with one of these is not interpreted. */
export const CONDITIONS = words(
  'except excluding ausser sauf excepto salvo if unless otherwise when whenever whether fallback missing absent empty wenn falls sonst ob andernfalls fehlt fehlen si sinon quand lorsque manque cuando falta',
);

/** Negates a mention directly before or after it. */
export const NEGATIONS = words(
  [
    'not never no none nor don doesn isn aren ignore ignored ignores skip skipped exclude excluded avoid neither wrong outdated old',
    'nicht nie niemals kein keine keinen keiner ignoriere ignorieren uberspringe uberspringen weder falsch veraltet',
    'ne n pas jamais ni ignorer ignorez aucun aucune faux perime',
    'nunca ignora ignorar ningun ninguna incorrecto obsoleto',
  ].join(' '),
);

/** Negates a mention after it. */
export const PREFERENCES_OVER = words(
  'instead rather than unlike without statt anstatt anstelle ohne lieu plutot sans lugar vez sin',
);

/** Switches from a negated to a meant mention. */
export const TURNING_WORDS = words('but sondern aber mais pero sino');

/** Separates two statements. */
export const JOINING_WORDS = words(
  'and or but while whereas und oder aber sondern sowie wahrend et ou mais tandis y o e u pero sino mientras',
);

/** A full stop after one of these does not end a sentence. */
export const ABBREVIATIONS = words('no nr num inv ref tel art st str approx bzw ca');
