/**
 * Words that mean the same on documents in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish, in lower case
 * without accents; one line per meaning, commas between its wordings. Members of an enumeration are found by them.
 */
const MEANINGS = `
cash, bar, barzahlung, bargeld, especes, comptant, efectivo, contado, contanti, contante, gotowka, gotowkowa, dinheiro, numerario
card, karte, kartenzahlung, carte, tarjeta, carta, kaart, pin, cartao, karta, karta platnicza
credit card, kreditkarte, carte de credit, tarjeta de credito, carta di credito, creditcard, kredietkaart, cartao de credito, karta kredytowa, visa, mastercard, amex
debit card, debitkarte, girocard, ec karte, ec cash, carte de debit, carte bancaire, tarjeta de debito, carta di debito, bancomat, pinpas, cartao de debito, karta debetowa
bank transfer, transfer, wire transfer, uberweisung, bankuberweisung, virement, virement bancaire, transferencia, transferencia bancaria, bonifico, bonifico bancario, overschrijving, bankoverschrijving, transferencia bancaria, przelew, przelew bankowy
direct debit, lastschrift, sepa lastschrift, einzug, bankeinzug, prelevement, domiciliacion, domiciliacion bancaria, addebito diretto, addebito, automatische incasso, incasso, debito direto, polecenie zaplaty
cheque, check, scheck, cheque bancaire, talon, assegno, czek
on account, invoice payment, auf rechnung, kauf auf rechnung, sur facture, a credito, op rekening, na fakture
paid, bezahlt, beglichen, gezahlt, paye, payee, regle, acquitte, acquittee, pagado, pagada, abonado, pagato, pagata, saldato, betaald, voldaan, pago, paga, liquidado, zaplacono, zaplacone, oplacone, oplacona
unpaid, open, outstanding, not paid, nicht bezahlt, non paye, non payee, niet betaald, nao pago, nie zaplacono, due, offen, unbezahlt, ausstehend, impaye, impayee, en attente, pendiente, impagado, no pagado, non pagato, da pagare, aperto, onbetaald, openstaand, pendente, em aberto, por pagar, niezaplacone, nieoplacone, do zaplaty
overdue, late, uberfallig, in verzug, en retard, vencido, vencida, scaduto, scaduta, achterstallig, te laat, vencido, atrasado, zalegle, przeterminowane
partly paid, partially paid, teilweise bezahlt, partiellement paye, parcialmente pagado, parzialmente pagato, gedeeltelijk betaald, parcialmente pago, czesciowo zaplacone
cancelled, canceled, storniert, annulliert, annule, annulee, cancelado, anulado, cancelada, anulada, annullato, annullata, geannuleerd, anulowane, anulowano
draft, entwurf, brouillon, borrador, bozza, concept, rascunho, szkic, wersja robocza
pending, ausstehend, in bearbeitung, en cours, en attente, pendiente, en tramite, in corso, in sospeso, in behandeling, pendente, em curso, w toku, oczekujace
approved, accepted, genehmigt, bewilligt, angenommen, approuve, accepte, aprobado, aceptado, approvato, accettato, goedgekeurd, geaccepteerd, aprovado, aceite, zatwierdzone, zaakceptowano
rejected, declined, refused, abgelehnt, refuse, rejete, rechazado, denegado, rifiutato, respinto, afgewezen, geweigerd, rejeitado, recusado, odrzucone, odmowa
delivered, geliefert, zugestellt, livre, livree, entregado, consegnato, geleverd, bezorgd, entregue, dostarczono, dostarczone
shipped, sent, versandt, verschickt, versendet, expedie, envoye, enviado, spedito, verzonden, expedido, wyslano, wyslane
invoice, rechnung, facture, factura, fattura, factuur, fatura, faktura, faktura vat
credit note, gutschrift, rechnungskorrektur, stornorechnung, avoir, note de credit, nota de credito, factura rectificativa, abono, nota di credito, creditnota, creditfactuur, faktura korygujaca, korekta
receipt, quittung, beleg, kassenbon, bon, recu, ticket, ticket de caisse, recibo, scontrino, ricevuta, kassabon, bonnetje, talao, paragon, paragon fiskalny
quote, quotation, offer, estimate, angebot, kostenvoranschlag, devis, offre, presupuesto, oferta, preventivo, offerta, offerte, orcamento, proposta, oferta cenowa
order, purchase order, bestellung, auftrag, commande, bon de commande, pedido, orden de compra, ordine, bestelling, order, encomenda, zamowienie
delivery note, lieferschein, bon de livraison, albaran, nota de entrega, documento di trasporto, bolla, ddt, pakbon, leveringsbon, guia de remessa, nota de entrega, wz, dowod dostawy
reminder, mahnung, zahlungserinnerung, rappel, relance, recordatorio, sollecito, herinnering, aanmaning, aviso, lembrete, wezwanie do zaplaty, przypomnienie
contract, agreement, vertrag, contrat, contrato, contratto, contract, overeenkomst, umowa
male, man, m, mannlich, mann, homme, masculin, hombre, masculino, varon, uomo, maschio, maschile, mannelijk, homem, mezczyzna, meski
female, woman, f, w, weiblich, frau, femme, feminin, mujer, femenino, donna, femmina, femminile, vrouw, vrouwelijk, mulher, feminino, kobieta, zenski
diverse, other, non binary, divers, autre, otro, altro, anders, overig, outro, inne, inna
mr, herr, monsieur, m, senor, sr, signor, sig, heer, dhr, senhor, pan
mrs, ms, miss, frau, madame, mme, mademoiselle, senora, sra, signora, sig ra, mevrouw, mevr, senhora, pani
single, unmarried, ledig, celibataire, soltero, soltera, celibe, nubile, ongehuwd, alleenstaand, solteiro, solteira, kawaler, panna, wolny
married, verheiratet, marie, mariee, casado, casada, coniugato, coniugata, sposato, sposata, gehuwd, getrouwd, zonaty, zamezna
divorced, geschieden, divorce, divorcee, divorciado, divorciada, divorziato, divorziata, gescheiden, rozwiedziony, rozwiedziona
widowed, verwitwet, veuf, veuve, viudo, viuda, vedovo, vedova, weduwe, weduwnaar, viuvo, viuva, wdowiec, wdowa
full time, vollzeit, temps plein, a temps complet, jornada completa, tiempo completo, tempo pieno, voltijd, fulltime, tempo integral, tempo inteiro, pelny etat
part time, teilzeit, temps partiel, media jornada, tiempo parcial, tempo parziale, part time, deeltijd, parttime, tempo parcial, niepelny etat
permanent, unbefristet, indeterminee, cdi, indefinido, indeterminato, onbepaalde tijd, vast, sem termo, indeterminado, na czas nieokreslony
temporary, fixed term, befristet, determinee, cdd, temporal, determinado, determinato, tijdelijk, bepaalde tijd, a termo, temporario, na czas okreslony
once, one time, einmalig, une fois, unique, una vez, unico, una tantum, eenmalig, uma vez, jednorazowo
daily, taglich, quotidien, journalier, diario, giornaliero, quotidiano, dagelijks, diario, codziennie, dziennie
weekly, wochentlich, hebdomadaire, semanal, settimanale, wekelijks, tygodniowo, co tydzien
monthly, monatlich, mensuel, mensuelle, mensual, mensile, maandelijks, mensal, miesiecznie, co miesiac
quarterly, vierteljahrlich, quartalsweise, trimestriel, trimestrielle, trimestral, trimestrale, per kwartaal, kwartaal, kwartalnie
yearly, annually, annual, jahrlich, annuel, annuelle, anual, annuale, jaarlijks, rocznie, co rok
low, niedrig, gering, faible, bas, basse, baja, bajo, bassa, basso, laag, baixa, baixo, niski, niska
medium, normal, mittel, moyen, moyenne, normale, media, medio, normaal, gemiddeld, media, sredni, srednia
high, hoch, eleve, elevee, haute, alta, alto, hoog, wysoki, wysoka
urgent, dringend, eilig, urgente, pilny, pilne, spoed
standard, standardversand, standaard, estandar, padrao, standardowa
express, expressversand, eilsendung, spoedlevering, expres, ekspres, ekspresowa, espresso
pickup, pick up, collection, abholung, selbstabholung, retrait, enlevement, recogida, ritiro, afhalen, recolha, levantamento, odbior, odbior osobisty
piece, pieces, pcs, unit, stuck, stk, piece, unite, unidad, ud, uds, pezzo, pz, stuks, stuk, st, unidade, un, sztuka, szt
hour, hours, stunde, stunden, std, heure, hora, ora, ore, uur, uren, godzina, godz
day, days, tag, tage, jour, dia, giorno, dag, dzien
month, monat, mois, mes, mese, maand, miesiac
year, jahr, an, annee, ano, anno, jaar, rok
private, privat, prive, particulier, particular, privado, privato, prive, particulier, prywatny, prywatna
business, company, geschaftlich, gewerblich, firma, professionnel, entreprise, empresa, profesional, azienda, aziendale, zakelijk, bedrijf, profissional, firmowy, sluzbowy
personal, personlich, personnel, personale, persoonlijk, pessoal, osobisty
new, neu, nouveau, nouvelle, nuevo, nueva, nuovo, nuova, nieuw, novo, nova, nowy, nowa
used, gebraucht, occasion, usado, usada, usato, usata, gebruikt, tweedehands, uzywany, uzywana
yes, true, ja, oui, si, sim, tak
no, false, nein, non, nee, nao, nie
active, aktiv, actif, active, activo, activa, attivo, attiva, actief, ativo, ativa, aktywny, aktywna
inactive, inaktiv, inactif, inactivo, inattivo, inactief, inativo, nieaktywny
owner, eigentumer, inhaber, proprietaire, propietario, proprietario, eigenaar, wlasciciel
owned, own, owner occupied, eigentum, im eigentum, propriete, en propiedad, propiedad, di proprieta, proprieta, koop, eigen woning, propria, wlasne, wlasnosc
rented, rent, renting, gemietet, zur miete, miete, en location, location, en alquiler, alquiler, in affitto, affitto, huur, gehuurd, arrendada, arrendamento, wynajem, wynajete
tenant, mieter, locataire, inquilino, arrendatario, inquilino, conduttore, huurder, arrendatario, najemca
germany, de, deutschland, allemagne, alemania, germania, duitsland, alemanha, niemcy
france, fr, frankreich, francia, frankrijk, franca, francja
spain, es, spanien, espagne, espana, spagna, spanje, espanha, hiszpania
italy, it, italien, italie, italia, wlochy
netherlands, nl, niederlande, pays bas, paises bajos, paesi bassi, nederland, paises baixos, holandia
portugal, pt, portogallo, portugalia
poland, pl, polen, pologne, polonia, polska
austria, at, osterreich, autriche, oostenrijk
switzerland, ch, schweiz, suisse, suiza, svizzera, zwitserland, suica, szwajcaria
belgium, be, belgien, belgique, belgica, belgio, belgie
united kingdom, gb, uk, great britain, vereinigtes konigreich, grossbritannien, royaume uni, reino unido, regno unito, verenigd koninkrijk, wielka brytania
united states, us, usa, vereinigte staaten, etats unis, estados unidos, stati uniti, verenigde staten, stany zjednoczone`;

/** The meanings by wording; a wording may have several. */
const MEANINGS_OF = readMeanings();

/** The meanings of a wording, as numbers; empty if it is unknown. */
export function meaningsOf(wording: string): ReadonlySet<number> {
  return MEANINGS_OF.get(wording) ?? new Set();
}

/** Other wordings of what a wording means, longest first. */
export function otherWordings(wording: string): readonly string[] {
  const meanings = meaningsOf(wording);
  const others = Array.from(MEANINGS_OF).flatMap(([other, its]) =>
    other !== wording && Array.from(its).some((meaning) => meanings.has(meaning)) ? [other] : [],
  );
  return others.toSorted((one, other) => other.length - one.length);
}

function readMeanings(): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const [index, line] of MEANINGS.trim().split('\n').entries()) {
    for (const wording of line.split(', ')) found.set(wording, (found.get(wording) ?? new Set()).add(index));
  }
  return found;
}
