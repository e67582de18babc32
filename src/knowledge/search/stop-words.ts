/** Languages with a stemmer; words of `none` are kept unstemmed. */
export const LANGUAGES = ['english', 'german', 'spanish', 'french', 'italian', 'portuguese', 'none'] as const;
export type Language = (typeof LANGUAGES)[number];

const english = `a about above after again against all am an and any are as at be because been before being below
between both but by can could did do does doing don down during each few for from further had has have having he her
here hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on
once only or other our ours ourselves out over own same she should so some such than that the their theirs them
themselves then there these they this those through to too under until up very was we were what when where which while
who whom whose why will with would you your yours yourself yourselves`;

const german = `aber als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den denn der
des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
euch euer eure für gegen hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist
ja jede jedem jeden jeder jedes kann kein keine können könnte machen mein meine mich mir mit muss nach nicht noch nun
nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie sind so soll sollte sondern sonst über um und uns
unser unter viel vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn wer werde werden
wie wieder wieviel viele wird wir wo wurde wurden zu zum zur zwar zwischen`;

const spanish = `a al algo algunas algunos ante antes aquel aquella como con contra cual cuál cuales cuáles cuando cuándo
cuánto cuánta cuántos cuántas de del desde donde dónde durante e el él ella ellas ellos en entre era eran es esa esas ese
eso esos esta está estaba están estas este esto estos fue fueron ha había habían han hasta hay la las le les lo los más me
mi mis mucho muy nada ni no nos nosotros o os otra otras otro otros para pero poco por porque puede qué que quien quién
quienes se sea ser si sí sin sobre son su sus también tanto te tiene tienen todo todos tu tus un una unas uno unos y ya yo`;

const french = `à ai as au aux avait avec avez avoir ce cela ces cet cette ceux chez comme comment d dans de des dont du elle
elles en entre es est et été étaient était être eu eux fut il ils j je l la le les leur leurs lui m ma mais me même mes
moi mon n ne nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa
sans se ses si son sont sous sur t ta te tes toi ton tous tout toute toutes tu un une vos votre vous y`;

const italian = `a ad agli ai al alla alle allo anche avere aveva c che chi ci come con contro cosa cui da dagli dai dal
dalla dalle dallo degli dei del dell della delle dello di dove e è ed era erano essere gli ha hanno i il in io l la le lei
li lo loro lui ma mi mia mio ne negli nei nel nell nella nelle nello no noi non o per perché più quale quali quando quanti
quanto quella quelle quelli quello questa queste questi questo qui se sei si sia sono stata stato su sua sue sui sul sulla
sulle suo suoi tra tu tutti tutto un una uno vi voi`;

const portuguese = `a ao aos aquela aquele as até com como da das de dela dele deles depois do dos e é ela elas ele eles em
entre era eram essa esse esta está estão estava este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na
não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando quanto
quantos quantas que quê quem se sem ser seu seus só são sua suas também te tem têm teu tinha um uma umas uns você vocês`;

const lists = { english, german, spanish, french, italian, portuguese };

/** Stop words by language, folded by `foldText`. */
export function stopWordsOf(fold: (text: string) => string): ReadonlyMap<Language, ReadonlySet<string>> {
  const sets = Object.entries(lists).map(
    ([language, words]) => [language as Language, new Set(fold(words).split(/\s+/))] as const,
  );
  return new Map(sets);
}
